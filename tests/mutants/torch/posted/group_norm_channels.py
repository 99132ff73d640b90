"""Groups that do not divide the channels."""
import torch
from torch import nn


def stage(inside, outside, groups=8):
    return nn.Sequential(nn.Conv2d(inside, outside, 3, padding=1), nn.GroupNorm(groups, outside), nn.SiLU())


net = nn.Sequential(stage(3, 16), stage(16, 20))  # instead: net = nn.Sequential(stage(3, 16), stage(16, 24))
print(net(torch.randn(1, 3, 8, 8)).shape)
