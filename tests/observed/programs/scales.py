"""Sizes that share a name, and operands that have more axes than what they are combined with."""

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        x = nn.functional.scaled_dot_product_attention(
            q,
            k,
            v,
        )
        x = x.transpose(1, 2).reshape(B, N, C)
        return self.proj(x)


class TwoScales(nn.Module):
    """`B, N, C` of the attention are other sizes in each of its calls."""

    def __init__(self, dim, heads, norm_layer):
        super().__init__()
        self.fine = Attention(dim, heads)
        self.coarse = Attention(dim, heads)
        self.norm = norm_layer(dim)
        self.mix = norm_layer(dim)

    def forward(self, x1, x2):
        y1 = self.fine(x1)
        y2 = self.coarse(x2)
        x1 = x1 + y1
        x2 = x2 + y2
        z1 = self.norm(x1)
        z2 = self.norm(x2)
        return z1, z2


class Pyramid(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.reduce = nn.Conv2d(channels, 1, 1)

    def forward(self, x):
        _, _, height, width = x.shape
        y = self.reduce(x)
        z = nn.functional.interpolate(y, size=(height * 2, width * 2))
        return z


class Frequencies(nn.Module):
    def __init__(self, hidden, make_grid):
        super().__init__()
        self.hidden = hidden
        self.make_grid = make_grid

    def forward(self, height: int, width: int):
        grid = self.make_grid(height, width)
        scale = torch.arange(self.hidden).float()
        angles = grid[:, :, None] * scale
        waves = angles + scale
        return waves


def make_grid(height, width):
    return torch.arange(height)[:, None] + torch.arange(width)
