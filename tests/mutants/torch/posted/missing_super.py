"""Layers are assigned before the constructor of Module has run."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(3, 2)  # instead: super().__init__(); self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x)


print(Net()(torch.ones(1, 3)))
