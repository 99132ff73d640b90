"""A pre-hook that drops a feature."""
import torch
from torch import nn

layer = nn.Linear(5, 2)
layer.register_forward_pre_hook(lambda module, args: (args[0][..., :4],))  # instead: layer.register_forward_pre_hook(lambda module, args: (args[0][..., :5],))
print(layer(torch.randn(3, 5)).shape)
