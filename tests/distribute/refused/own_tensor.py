"""refused: PT410 an optimizer updates a tensor that belongs to no module."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.rand(64, 4), torch.rand(64, 1)), batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
weight = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.SGD([{"params": model.parameters()}, {"params": [weight]}], lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.exp(-weight) * nn.functional.mse_loss(model(x), y) + weight
        loss.sum().backward()
        optimizer.step()
    print(epoch)
