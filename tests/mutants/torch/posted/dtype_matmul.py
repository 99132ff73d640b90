"""Half precision meets single precision."""
import torch

x = torch.randn(4, 8, dtype=torch.float64)
w = torch.randn(8, 2)  # instead: w = torch.randn(8, 2, dtype=torch.float64)
print((x @ w).shape)
