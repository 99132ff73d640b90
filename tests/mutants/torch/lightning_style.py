"""A trainer class that drives a module's steps."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Module(nn.Module):
    def training_step(self, batch, batch_idx):
        raise NotImplementedError

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)


class Regressor(Module):
    def __init__(self, features):
        super().__init__()
        self.net = nn.Sequential(nn.BatchNorm1d(features), nn.Linear(features, 10), nn.ReLU(), nn.Linear(10, 1))

    def forward(self, x):
        return self.net(x)[:, 0]

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.l1_loss(self(x), y)
        return {"loss": loss, "log": {"mae": loss.detach()}}


class Trainer:
    def __init__(self, epochs):
        self.epochs = epochs
        self.history = []

    def fit(self, module, loader):
        optimizer = module.configure_optimizers()
        for _ in range(self.epochs):
            for number, batch in enumerate(loader):
                result = module.training_step(batch, number)
                optimizer.zero_grad()
                result["loss"].backward()
                optimizer.step()
                self.history.append(result["log"]["mae"].item())


dataset = TensorDataset(torch.randn(32, 7), torch.randn(32))
trainer = Trainer(epochs=2)
trainer.fit(Regressor(7), DataLoader(dataset, batch_size=8))
print(len(trainer.history))
