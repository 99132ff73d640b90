"""A weight on the meta device meets data on the CPU."""
import torch
from torch import nn

with torch.device("meta"):  # instead: if True:
    layer = nn.Linear(8, 8)
x = torch.randn(3, 8)
print((layer.weight @ x.T).sum().item())
