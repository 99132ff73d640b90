"""A lazy network is initialised with one image size and used with another."""
import torch
from torch import nn

net = nn.Sequential(nn.LazyConv2d(8, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.LazyLinear(10))
net(torch.randn(1, 3, 32, 32))
print(net(torch.randn(4, 3, 28, 28)).shape)  # instead: print(net(torch.randn(4, 3, 32, 32)).shape)
