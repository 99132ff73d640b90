"""NumPy's float64 reaches a float32 layer."""
import numpy as np
import torch
from torch import nn

data = np.random.default_rng(0).normal(size=(32, 7))
inputs = torch.from_numpy(data)  # instead: inputs = torch.from_numpy(data).float()
model = nn.Sequential(nn.Linear(7, 4), nn.Sigmoid(), nn.Linear(4, 1))
print(model(inputs).shape)
