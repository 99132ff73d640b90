"""A binary loss of (n, 1) against (n,)."""
import torch
from torch import nn

net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
target = torch.randint(0, 2, (12,)).float()
loss = nn.BCEWithLogitsLoss()(net(torch.randn(12, 6)), target)  # instead: loss = nn.BCEWithLogitsLoss()(net(torch.randn(12, 6)).squeeze(1), target)
loss.backward()
