"""Affine couplings with their log determinants."""
import math

import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, dim, flip):
        super().__init__()
        self.flip = flip
        self.half = dim // 2
        self.net = nn.Sequential(nn.Linear(self.half, 32), nn.ReLU(), nn.Linear(32, 2 * self.half))

    def forward(self, x):
        a, b = x[:, :self.half], x[:, self.half:]
        if self.flip:
            a, b = b, a
        scale, shift = self.net(a).chunk(2, dim=1)
        scale = torch.tanh(scale)
        b = b * scale.exp() + shift
        out = torch.cat([b, a], dim=1) if self.flip else torch.cat([a, b], dim=1)
        return out, scale.sum(dim=1)


flows = nn.ModuleList([Coupling(6, flip=bool(i % 2)) for i in range(3)])
x = torch.randn(11, 6)
log_det = torch.zeros(x.shape[0])
for flow in flows:
    x, part = flow(x)
    log_det = log_det + part
prior = torch.distributions.MultivariateNormal(torch.zeros(6), torch.eye(6))
nll = -(prior.log_prob(x) + log_det).mean()
nll.backward()
print(nll.item(), nll.item() / math.log(2))
