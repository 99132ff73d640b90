"""refused: PT412 a second loss goes back through a forward pass whose output was joined with others before it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.rand(64, 4), torch.rand(64, 2)), batch_size=8, shuffle=True)
maker, judge = nn.Linear(4, 2), nn.Linear(4, 1)
making = torch.optim.SGD(maker.parameters(), lr=0.1)
judging = torch.optim.SGD(judge.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        judging.zero_grad()
        made = maker(x)
        judge(torch.cat([made, y], dim=1)).mean().backward(retain_graph=True)
        judging.step()
        making.zero_grad()
        (-judge(torch.cat([made, y], dim=1)).mean()).backward()
        making.step()
    print(epoch)
