"""A stack of convolutions that is deeper than the image is large."""
import torch
from torch import nn

x = torch.zeros(1, 3, 28, 28)
channels = 3
for width in (8, 16, 32, 64):  # instead: for width in (8, 16, 32):
    x = torch.relu(nn.Conv2d(channels, width, 8)(x))
    channels = width
print(x.shape)
