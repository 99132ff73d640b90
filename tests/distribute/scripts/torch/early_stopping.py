"""Random subsets for training and validation, a stopper that prints and saves, and a loop that it ends."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.sampler import SubsetRandomSampler


class Stopper:
    def __init__(self, patience, path="kept.pt", tell=print):
        self.patience, self.path, self.tell = patience, path, tell
        self.best, self.waited, self.stop = None, 0, False

    def __call__(self, loss, model):
        if self.best is None or loss < self.best:
            self.best, self.waited = loss, 0
            self.keep(model)
        else:
            self.waited += 1
            self.tell(f"no better for {self.waited} epochs")
            self.stop = self.waited >= self.patience

    def keep(self, model):
        torch.save(model.state_dict(), self.path)
        self.tell(f"kept {self.best:.4f}")


def loaders(batch_size):
    x = torch.randn(200, 4)
    data = TensorDataset(x, (x.sum(1) > 0).long())
    indices = list(range(len(data)))
    np.random.shuffle(indices)
    train, valid = SubsetRandomSampler(indices[40:]), SubsetRandomSampler(indices[:40])
    return (DataLoader(data, batch_size=batch_size, sampler=train),
            DataLoader(data, batch_size=batch_size, sampler=valid))


def fit(model, epochs):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    stopper = Stopper(patience=2)
    train_loader, valid_loader = loaders(16)
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        losses = []
        with torch.no_grad():
            for x, y in valid_loader:
                losses.append(criterion(model(x), y).item())
        stopper(np.mean(losses), model)
        if stopper.stop:
            print("stopped after epoch", epoch)
            break
    model.load_state_dict(torch.load("kept.pt"))
    return model


fit(nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2)), 12)
