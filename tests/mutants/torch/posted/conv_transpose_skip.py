"""A U-Net decoder concatenates and forgets to double the channels."""
import torch
from torch import nn


class Up(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.up = nn.ConvTranspose2d(channels, channels // 2, 2, stride=2)
        self.conv = nn.Conv2d(channels // 2, channels // 2, 3, padding=1)  # instead: self.conv = nn.Conv2d(channels, channels // 2, 3, padding=1)

    def forward(self, x, skip):
        x = self.up(x)
        return self.conv(torch.cat([x, skip], dim=1))


print(Up(32)(torch.randn(1, 32, 8, 8), torch.randn(1, 16, 16, 16)).shape)
