"""A permuted tensor is viewed."""
import torch

x = torch.randn(2, 3, 4, 5).permute(0, 2, 3, 1)
print(x.view(2, 60).shape)  # instead: print(x.reshape(2, 60).shape)
