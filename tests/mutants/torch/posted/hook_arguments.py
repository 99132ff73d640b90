"""A forward hook without the output."""
import torch
from torch import nn

features = []
layer = nn.Linear(4, 2)
layer.register_forward_hook(lambda module, output: features.append(output))  # instead: layer.register_forward_hook(lambda module, inputs, output: features.append(output))
layer(torch.zeros(3, 4))
print(len(features))
