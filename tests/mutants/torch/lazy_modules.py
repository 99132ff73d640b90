"""Sizes found at the first call."""
import torch
from torch import nn

model = nn.Sequential(
    nn.LazyConv2d(8, kernel_size=3),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.LazyLinear(20),
    nn.ReLU(),
    nn.Linear(20, 3),
)
first = model(torch.randn(2, 3, 10, 10))
second = model(torch.randn(4, 3, 10, 10))
print(first.shape, second.shape, model[4].weight.shape)
