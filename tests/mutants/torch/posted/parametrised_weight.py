"""A parametrization that makes a square matrix symmetric, put on a weight that is not square."""
import torch
from torch import nn
from torch.nn.utils import parametrize


class Symmetric(nn.Module):
    def forward(self, matrix):
        return matrix.triu() + matrix.triu(1).transpose(-1, -2)


layer = nn.Linear(5, 4)  # instead: layer = nn.Linear(4, 4)
parametrize.register_parametrization(layer, "weight", Symmetric())
print(layer(torch.randn(3, layer.in_features)).shape)
