"""Distances between embeddings of two sizes."""
import torch

queries, keys = torch.randn(5, 128), torch.randn(9, 64)  # instead: queries, keys = torch.randn(5, 128), torch.randn(9, 128)
print(torch.cdist(queries, keys).argmin(dim=1))
