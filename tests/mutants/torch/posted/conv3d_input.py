"""Videos with time before channels."""
import torch
from torch import nn

clip = torch.randn(2, 16, 3, 32, 32)
net = nn.Conv3d(3, 8, kernel_size=3)
print(net(clip).shape)  # instead: print(net(clip.transpose(1, 2)).shape)
