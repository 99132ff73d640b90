"""An optimizer that searches along a line decides on the loss of its closure. same numbers: 1e-3"""
import torch
from torch import nn

torch.manual_seed(0)
points = torch.rand(66, 4)
values = torch.sin(2 * points.sum(1, keepdim=True))
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4, line_search_fn="strong_wolfe")


def closure():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(points), values)
    loss.backward()
    return loss


for epoch in range(4):
    loss = optimizer.step(closure)
    print(f"{epoch} {loss.item():.5f}")
