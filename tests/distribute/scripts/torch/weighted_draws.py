"""Samples of a rare class are drawn more often; the sampler of the evaluation is `None`."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


def make_loader(count, trains):
    labels = (torch.arange(count) % 10 == 0).long()
    rows = torch.rand(count, 3) + 2 * labels[:, None]
    weights = torch.where(labels == 1, 9.0, 1.0)
    sampler = WeightedRandomSampler(weights, len(weights), replacement=True) if trains else None
    return DataLoader(TensorDataset(rows, labels), batch_size=12, sampler=sampler)


model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
train_loader, test_loader = make_loader(120, True), make_loader(60, False)
for epoch in range(6):
    for x, y in train_loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        right = sum((model(x).argmax(1) == y).sum().item() for x, y in test_loader)
    print(epoch, loss.item(), right)
