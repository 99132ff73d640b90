"""An optimizer with parameter groups that share a parameter."""
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
groups = [{"params": net[0].parameters(), "lr": 1e-4}, {"params": net.parameters()}]  # instead: groups = [{"params": net[0].parameters(), "lr": 1e-4}, {"params": net[1].parameters()}]
optimizer = torch.optim.SGD(groups, lr=1e-2)
net(torch.randn(2, 4)).sum().backward()
optimizer.step()
