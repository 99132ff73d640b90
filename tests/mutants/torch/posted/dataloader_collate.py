"""Sequences of several lengths are stacked by the default collation."""
import torch
from torch.utils.data import DataLoader, TensorDataset

inputs = torch.randn(20, 6)
targets = torch.randn(19, 1)  # instead: targets = torch.randn(20, 1)
dataset = TensorDataset(inputs, targets)
for x, y in DataLoader(dataset, batch_size=5, shuffle=True):
    print(x.shape, y.shape)
