"""Runge-Kutta steps through a network."""
import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, 20), nn.Softplus(), nn.Linear(20, dim))

    def forward(self, t, y):
        time = torch.full((y.shape[0], 1), t)
        return self.net(torch.cat([y, time], dim=1))


def rk4(field, y, t, dt):
    k1 = field(t, y)
    k2 = field(t + dt / 2, y + dt / 2 * k1)
    k3 = field(t + dt / 2, y + dt / 2 * k2)
    k4 = field(t + dt, y + dt * k3)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


field = Field(3)
y = torch.randn(8, 3)
path = [y]
for i in range(4):
    y = rk4(field, y, i * 0.1, 0.1)
    path.append(y)
path = torch.stack(path, dim=1)
target = torch.zeros(8, 5, 3)
loss = ((path - target) ** 2).sum(-1).mean()
loss.backward()
print(path.shape, loss.item())
