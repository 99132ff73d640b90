"""Two losses go back through one forward pass, one after the other, and one of them through outputs that were joined."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.rand(96, 4)
loader = DataLoader(TensorDataset(x, x[:, :2] * 2 + 1), batch_size=12, shuffle=True)
maker, judge = nn.Linear(4, 2), nn.Linear(4, 1)
making = torch.optim.SGD(maker.parameters(), lr=0.1)
judging = torch.optim.SGD(judge.parameters(), lr=0.01)
for epoch in range(6):
    for x, y in loader:
        judging.zero_grad()
        made = maker(x)
        score = judge(torch.cat([made, y], dim=1))
        (score - 0.5).pow(2).mean().backward(retain_graph=True)
        making.zero_grad()
        loss = nn.functional.mse_loss(made, y)
        loss.backward()
        judging.step()
        making.step()
    print(epoch, loss.item())
