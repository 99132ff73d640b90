"""BatchNorm1d on images."""
import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm1d(8), nn.ReLU())  # instead: net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU())
print(net(torch.randn(4, 3, 16, 16)).shape)
