"""The width is not divisible by the number of heads."""
import torch


def split_heads(x, heads):
    batch, length, width = x.shape
    return x.view(batch, length, heads, width // heads).transpose(1, 2)  # raises RuntimeError


print(split_heads(torch.randn(4, 16, 100), 8).shape)
