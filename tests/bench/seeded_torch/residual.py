"""The convolution has no padding, so the shortcut no longer fits."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3)

    def forward(self, x):
        return x + self.conv(x)  # raises RuntimeError


print(Block(8)(torch.randn(1, 8, 20, 20)).shape)
