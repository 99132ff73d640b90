"""A list of tensors is given to a layer."""
import torch
from torch import nn

parts = [torch.randn(3), torch.randn(3)]
print(nn.Linear(3, 1)(parts).shape)  # instead: print(nn.Linear(3, 1)(torch.stack(parts)).shape)
