"""Bilinear scores and a low-rank layer by einsum."""
import torch
from torch import nn


class Bilinear(nn.Module):
    def __init__(self, left, right, relations):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(relations, left, right) * 0.1)

    def forward(self, a, b):
        return torch.einsum("bi,rij,bj->br", a, self.weight, b)


class LowRank(nn.Module):
    def __init__(self, features, rank):
        super().__init__()
        self.down = nn.Parameter(torch.randn(features, rank))
        self.up = nn.Parameter(torch.randn(rank, features))

    def forward(self, x):
        return x + torch.einsum("bnf,fr,rg->bng", x, self.down, self.up)


a, b = torch.randn(5, 6), torch.randn(5, 7)
scores = Bilinear(6, 7, 4)(a, b)
x = torch.randn(2, 3, 9)
y = LowRank(9, 2)(x)
gram = torch.einsum("bnf,bmf->bnm", y, y)
print(scores.shape, gram.shape)
