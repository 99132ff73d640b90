"""Parts of a module that are called outside of training, and drawings that rank 0 keeps."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
workers = {"num_workers": 1, "pin_memory": True} if torch.cuda.is_available() else {}
train_loader = DataLoader(
    TensorDataset(torch.rand(96, 20)),
    batch_size=12, shuffle=True, **workers)
test_loader = DataLoader(TensorDataset(torch.rand(33, 20)), batch_size=12, shuffle=False, **workers)


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inward = nn.Linear(20, 6)
        self.outward = nn.Linear(6, 20)

    def decode(self, z):
        return torch.sigmoid(self.outward(z))

    def forward(self, x):
        z = self.inward(x)
        return self.decode(z + 0.1 * torch.randn_like(z)), z


model = Coder().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)


def loss_of(x, y, z):
    return nn.functional.binary_cross_entropy(y, x, reduction="sum") / len(x) + 0.01 * z.pow(2).mean()


def train(epoch):
    model.train()
    for i, (x,) in enumerate(train_loader):
        x = x.to(device)
        optimizer.zero_grad()
        y, z = model(x)
        loss = loss_of(x, y, z)
        loss.backward()
        optimizer.step()
    print(epoch, "training", loss.item())


def test(epoch):
    model.eval()
    total = 0
    with torch.no_grad():
        for (x,) in test_loader:
            y, z = model(x.to(device))
            total += loss_of(x.to(device), y, z).item() * len(x)
    total /= len(test_loader.dataset)
    print(epoch, "test", total)


if __name__ == "__main__":
    for epoch in range(1, 5):
        train(epoch)
        test(epoch)
        with torch.no_grad():
            torch.save(model.decode(torch.randn(4, 6).to(device)).cpu(), f"drawn_{epoch}.pt")
