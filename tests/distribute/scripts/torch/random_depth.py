"""A layer is used a random number of times in each forward pass, perhaps never."""
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.middle = nn.Linear(8, 8)
        self.last = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.relu(self.first(x))
        for _ in range(random.randint(0, 2)):
            h = torch.relu(self.middle(h))
        return self.last(h)


x = torch.rand(96, 4)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=6, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(4):
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
