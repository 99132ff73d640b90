"""One name for two models in turn, then networks in a dictionary and their optimizers in a list."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.rand(64, 4)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=6, shuffle=True)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for a, b in loader:
        opt.zero_grad()
        nn.functional.mse_loss(net(a), b).backward()
        opt.step()

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
other = nn.Linear(4, 1)
nets = {"large": net, "small": other}
opts = [torch.optim.SGD(net.parameters(), lr=0.1), torch.optim.Adam(other.parameters(), lr=0.1)]
for epoch in range(3):
    for a, b in loader:
        for net_of, opt in zip(nets.values(), opts):
            loss = nn.functional.mse_loss(net_of(a), b)
            opt.zero_grad()
            loss.backward()
            opt.step()
print("last", loss.item())
