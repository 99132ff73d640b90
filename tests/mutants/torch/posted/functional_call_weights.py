"""functional_call with a weight of the wrong size."""
import torch
from torch import nn
from torch.func import functional_call

layer = nn.Linear(6, 3)
params = {"weight": torch.randn(6, 3), "bias": torch.zeros(3)}  # instead: params = {"weight": torch.randn(3, 6), "bias": torch.zeros(3)}
out = functional_call(layer, params, (torch.randn(4, 6),))
print(out.shape)
