"""One function makes the loaders of training and evaluation, and the evaluation is a mean of means. same numbers: 0.03"""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_loader(n, train=True):
    x = torch.linspace(-1, 1, n)[:, None]
    return DataLoader(TensorDataset(x, 3 * x + 1), batch_size=6, shuffle=train)


def evaluate(model, loader, criterion):
    losses, shown = [], []
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            losses.append(criterion(out, y).item())
            shown.extend(out[:, 0].tolist())
    return sum(losses) / len(losses), len(shown)


model, criterion = nn.Linear(1, 1), nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
train_loader, test_loader = make_loader(120), make_loader(27, train=False)
best = float("inf")
for epoch in range(8):
    for x, y in train_loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    error, count = evaluate(model, test_loader, criterion)
    print(count, "test samples")
    if error < best:
        best = error
        torch.save(model.state_dict(), "best.pt")
