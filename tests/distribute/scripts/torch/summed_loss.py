"""A loss that is a sum over the samples of a batch, made by a function of the script. same numbers: 2e-1"""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(7)


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(6, 4)
        self.decode = nn.Linear(2, 6)

    def forward(self, x):
        mu, logvar = self.encode(x).chunk(2, dim=1)
        return self.decode(mu + 0.1 * torch.exp(0.5 * logvar)), mu, logvar


def loss_of(recon, x, mu, logvar):
    error = F.mse_loss(recon, x, reduction="sum")
    return error - 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())


data = TensorDataset(torch.rand(144, 6))
loader = DataLoader(data, batch_size=24, shuffle=True)
model = Coder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.002)
for epoch in range(8):
    total = 0.0
    for (x,) in loader:
        optimizer.zero_grad()
        recon, mu, logvar = model(x)
        loss = loss_of(recon, x, mu, logvar)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"{epoch} {total / len(data):.3f}")
