# expect: 15 of 15
"""One function makes the loaders of training and evaluation."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_loader(n, batch_size, train=True):
    labels = torch.arange(n) % 2
    rows = torch.rand(n, 3) + 4 * labels[:, None]
    return DataLoader(TensorDataset(rows, labels), batch_size=batch_size, shuffle=train)


def make_optimizer(parameters, name, rate):
    if name == "sgd":
        return torch.optim.SGD(parameters, lr=rate)
    return torch.optim.Adam(parameters, lr=rate)


def evaluate(encoder, head, loader):
    right = 0
    with torch.no_grad():
        for x, y in loader:
            right += (head(encoder(x)).argmax(1) == y).sum().item()
    print(right, "of", len(loader.dataset))


def main():
    loader, test = make_loader(120, 6), make_loader(15, 4, False)
    encoder, head = nn.Sequential(nn.Linear(3, 8), nn.ReLU()), nn.Linear(8, 2)
    optimizer = make_optimizer(list(encoder.parameters()) + list(head.parameters()), "sgd", 0.1)
    for epoch in range(8):
        for x, y in loader:
            loss = nn.functional.cross_entropy(head(encoder(x)), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())
    evaluate(encoder, head, test)
    torch.save({"encoder": encoder.state_dict(), "head": head.state_dict()}, "both.pt")


if __name__ == "__main__":
    main()
