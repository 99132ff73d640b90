"""refused: PT411 samples are drawn in every step, beside an array that the step uses whole."""
import numpy as np
import torch
from torch import nn

SIZE = 64
points = np.vstack([np.linspace(-1, 1, 15) for _ in range(SIZE)])
model = nn.Linear(15, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(100):
    a = np.random.uniform(1, 2, size=SIZE)[:, np.newaxis]
    drawn = torch.from_numpy(a * np.power(points, 2)).float()
    optimizer.zero_grad()
    loss = model(drawn).pow(2).mean()
    loss.backward()
    optimizer.step()
print(loss.item())
