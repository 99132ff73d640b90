"""Rotary embeddings for the full head size are applied to half of it."""
import torch


def rotate(x, cos, sin):
    half = x.shape[-1] // 2
    x1, x2 = x[..., :half], x[..., half:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1)


head = 64
angles = torch.outer(torch.arange(10.0), 1.0 / 10000 ** (torch.arange(0, head, 1) / head))  # instead: angles = torch.outer(torch.arange(10.0), 1.0 / 10000 ** (torch.arange(0, head, 2) / head))
q = torch.randn(2, 8, 10, head)
print(rotate(q, angles.cos(), angles.sin()).shape)
