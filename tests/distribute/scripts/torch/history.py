"""Shuffling given by place, predictions kept in a list, and a history that one rank writes."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_one_epoch(model, loader, optimizer, device):
    model.train()
    total_loss, total = 0, 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
        total_loss += loss.item() * x.size(0)
        total += x.size(0)
    return total_loss / total


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    correct = torch.zeros(1, device=device)
    all_preds = []
    for x, y in loader:
        out = model(x.to(device))
        correct += (out.argmax(1) == y.to(device)).sum()
        all_preds.append(out.argmax(1).cpu())
    return (correct / len(loader.dataset)).item(), torch.cat(all_preds)


def run(epochs=3, batch_size=12, lr=0.1):
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    x = torch.randn(200, 5)
    y = (x.sum(1) > 0).long()
    train = DataLoader(TensorDataset(x[:160], y[:160]), batch_size, True)
    test = DataLoader(TensorDataset(x[160:], y[160:]), batch_size)
    model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    history = {"loss": [], "acc": []}
    for epoch in range(epochs):
        loss = train_one_epoch(model, train, optimizer, device)
        acc, preds = evaluate(model, test, device)
        history["loss"].append(loss)
        history["acc"].append(acc)
        print(f"Epoch {epoch + 1}/{epochs} loss={loss:.4f} acc={acc:.4f}")
    return history


if __name__ == "__main__":
    history = run()
    import json
    json.dump(history, open("history.json", "w"))
