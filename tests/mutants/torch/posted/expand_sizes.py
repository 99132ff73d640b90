"""Expanding a dimension that is not 1."""
import torch

prototype = torch.randn(2, 16)
batch = prototype.expand(8, 16)  # instead: batch = prototype[:1].expand(8, 16)
print(batch.sum())
