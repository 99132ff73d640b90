"""Backward of something that is no scalar."""
import torch
from torch import nn

net = nn.Linear(4, 3)
loss = nn.functional.mse_loss(net(torch.randn(8, 4)), torch.zeros(8, 3), reduction="none")
loss.backward()  # instead: loss.mean().backward()
