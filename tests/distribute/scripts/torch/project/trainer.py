"""The loop, and how it is evaluated."""
import torch
from torch.utils.data import DataLoader

from dataset import Points


class Trainer:
    def __init__(self, config):
        self.config = config
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = torch.nn.Linear(4, 1).to(self.device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=config.lr)
        self.loader = DataLoader(Points(161), config.batch, shuffle=True)
        self.val_loader = DataLoader(Points(40), config.batch)

    def fit(self):
        for epoch in range(4):
            self.model.train()
            for x, y in self.loader:
                x, y = x.to(self.device), y.to(self.device)
                self.optimizer.zero_grad()
                loss = torch.nn.functional.mse_loss(self.model(x), y)
                loss.backward()
                self.optimizer.step()
            print(epoch, self.evaluate())
        torch.save(self.model.state_dict(), "points.pt")

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.val_loader:
            x, y = x.to(self.device), y.to(self.device)
            total += torch.nn.functional.mse_loss(self.model(x), y).item()
        return total / len(self.val_loader)
