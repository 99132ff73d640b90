"""NumPy of a tensor that requires gradients."""
import torch
from torch import nn

net = nn.Linear(3, 2)
scores = net(torch.randn(5, 3))
array = scores.numpy()  # instead: array = scores.detach().numpy()
print(array.argmax(axis=1))
