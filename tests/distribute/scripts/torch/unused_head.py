"""A head that no loss reaches, a backbone under no_grad, and a module that is read from a list."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(4, 8)
        self.heads = nn.ModuleList([nn.Linear(8, 1) for _ in range(2)])
        self.spare = nn.Linear(8, 3)

    def forward(self, x):
        with torch.no_grad():
            h = torch.relu(self.backbone(x))
        return self.heads[0](h), self.heads[1](h), self.spare(h)


x = torch.rand(64, 4)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=6, shuffle=True)
model = Heads()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(4):
    for a, b in loader:
        first, second, _ = model(a)
        loss = nn.functional.mse_loss(first, b) + nn.functional.mse_loss(second, b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
