"""NumPy arrays into tensors and back."""
import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
features = rng.normal(size=(40, 5))
targets = features @ rng.normal(size=(5, 2))
mean, std = features.mean(axis=0), features.std(axis=0)
x = torch.from_numpy((features - mean) / std).float()
y = torch.as_tensor(targets, dtype=torch.float32)
model = nn.Linear(5, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for _ in range(3):
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
predicted = model(x).detach().numpy()
residual = np.abs(predicted - targets).mean(axis=0)
weights = model.weight.data.cpu().numpy().T
print(residual, np.allclose(features @ weights, features.dot(weights)))
