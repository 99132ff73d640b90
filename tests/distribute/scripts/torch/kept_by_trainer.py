"""A class keeps the module under a name of its own and makes the optimizer from the one that it was given."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, device, rate=0.1):
        self.model = model.to(device)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=rate)
        self.device = device

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            total = 0.0
            for x, y in loader:
                x, y = x.to(self.device), y.to(self.device)
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.model(x), y)
                loss.backward()
                self.optimizer.step()
                total += loss.item() * len(x)
            print(f"{epoch} {total / len(loader.dataset):.5f}")


if __name__ == "__main__":
    points = torch.rand(192, 4)
    data = TensorDataset(points, points.sum(1, keepdim=True))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    Trainer(nn.Linear(4, 1), device).fit(DataLoader(data, batch_size=12, shuffle=True), 4)
