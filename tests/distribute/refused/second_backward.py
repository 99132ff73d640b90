"""refused: PT412 two losses go back through one forward pass, one after the other."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.rand(64, 4), torch.rand(64, 2)), batch_size=8, shuffle=True)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        nn.functional.mse_loss(out[:, 0], y[:, 0]).backward(retain_graph=True)
        nn.functional.mse_loss(out[:, 1], y[:, 1]).backward()
        optimizer.step()
    print(epoch)
