import torch
import torch.nn as nn

layer = nn.Linear(5, 2)
layer.weight = torch.zeros(2, 5)  # instead: layer.weight = nn.Parameter(torch.zeros(2, 5))
print(layer(torch.ones(1, 5)))
