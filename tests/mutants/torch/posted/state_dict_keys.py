"""A state dictionary with a missing entry."""
import torch
from torch import nn

net = nn.Linear(5, 2)
state = {"weight": torch.zeros(2, 5)}  # instead: state = {"weight": torch.zeros(2, 5), "bias": torch.zeros(2)}
net.load_state_dict(state)
print(net(torch.ones(1, 5)))
