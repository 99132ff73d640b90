"""The best weights are saved, and loaded again at the end."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def evaluate(model, loader, loss_fn):
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            total += loss_fn(model(x), y).item() * len(x)
            count += len(x)
    return total / count


def main():
    gen = torch.Generator().manual_seed(96)
    x = torch.randn(300, 5, generator=gen)
    data = TensorDataset(x, x.sum(dim=1, keepdim=True))
    train_data, valid_data = random_split(data, [240, 60])
    train_loader = DataLoader(train_data, batch_size=12, shuffle=True)
    valid_loader = DataLoader(valid_data, batch_size=12)
    model = nn.Sequential(nn.Linear(5, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 1))
    loss_fn = nn.MSELoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    best = float("inf")
    for epoch in range(4):
        model.train()
        for inputs, targets in train_loader:
            optimizer.zero_grad()
            loss_fn(model(inputs), targets).backward()
            optimizer.step()
        valid = evaluate(model, valid_loader, loss_fn)
        print("epoch", epoch, "validation", valid)
        if valid < best:
            best = valid
            torch.save(model.state_dict(), "best.pt")
    model.load_state_dict(torch.load("best.pt"))
    print("best", evaluate(model, valid_loader, loss_fn))


main()
