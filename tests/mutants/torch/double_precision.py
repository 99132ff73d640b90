"""Everything in float64."""
import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1)).double()
points = torch.rand(30, 2, dtype=torch.float64, requires_grad=True)
u = net(points)
du, = torch.autograd.grad(u.sum(), points, create_graph=True)
uxx, = torch.autograd.grad(du[:, 0].sum(), points, create_graph=True)
uyy, = torch.autograd.grad(du[:, 1].sum(), points, create_graph=True)
laplacian = uxx[:, 0] + uyy[:, 1]
boundary = torch.cat([torch.rand(8, 1), torch.zeros(8, 1)], dim=1).double()
loss = (laplacian + 1).pow(2).mean() + net(boundary).pow(2).mean()
loss.backward()
print(loss.item(), laplacian.shape)
