import numpy as np
import torch
import torch.nn as nn

data = np.random.rand(10, 4)
model = nn.Linear(4, 2)
inputs = torch.from_numpy(data)  # instead: inputs = torch.from_numpy(data).float()
print(model(inputs))
