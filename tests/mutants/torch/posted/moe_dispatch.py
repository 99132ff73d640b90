"""Experts in a ModuleList indexed beyond their number."""
import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, width, experts):
        super().__init__()
        self.experts = nn.ModuleList([nn.Linear(width, width) for _ in range(experts)])

    def forward(self, x, which):
        return self.experts[which](x)


mix = Mixture(8, 4)
print(mix(torch.ones(2, 8), 4).shape)  # instead: print(mix(torch.ones(2, 8), 3).shape)
