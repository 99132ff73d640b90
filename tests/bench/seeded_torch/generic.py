"""Wrong for every size: one feature more than the layer has."""
import torch
from torch import nn


def augment(x, width):
    ones = torch.ones(x.shape[0], 1)
    layer = nn.Linear(width, 2)
    return layer(torch.cat([x, ones], dim=1))  # raises RuntimeError


print(augment(torch.randn(5, 3), 3))
