"""Splitting a projection into parts that do not add up."""
import torch
from torch import nn

hidden = nn.Linear(32, 96)(torch.randn(2, 7, 32))
gate, value, key = hidden.split([32, 32, 64], dim=-1)  # instead: gate, value, key = hidden.split([32, 32, 32], dim=-1)
print(gate.shape, value.shape, key.shape)
