"""A tensor is assigned where a parameter stands."""
import torch
from torch import nn

layer = nn.Linear(4, 4)
layer.weight = torch.eye(4)  # instead: layer.weight = nn.Parameter(torch.eye(4))
print(layer(torch.ones(1, 4)))
