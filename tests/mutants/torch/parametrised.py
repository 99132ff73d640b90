"""A symmetric weight and weight normalisation."""
import torch
from torch import nn
from torch.nn.utils import parametrize
from torch.nn.utils.parametrizations import weight_norm


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)


layer = nn.Linear(6, 6)
parametrize.register_parametrization(layer, "weight", Symmetric())
normed = weight_norm(nn.Linear(6, 4))
x = torch.randn(5, 6)
h = layer(x)
out = normed(torch.relu(h))
print(out.shape, (layer.weight - layer.weight.T).abs().max().item())
