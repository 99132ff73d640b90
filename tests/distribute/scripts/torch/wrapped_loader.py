"""A class that hands on a loader's batches, changed, for training and for validation."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class Prepared:
    def __init__(self, loader, prepare):
        self.loader, self.prepare = loader, prepare

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        for batch in self.loader:
            yield self.prepare(*batch)


def images(x, y):
    return x.view(-1, 1, 4, 4), y


def pair(train, valid, size):
    return DataLoader(train, batch_size=size, shuffle=True), DataLoader(valid, batch_size=2 * size)


def step(model, loss_of, x, y, optimizer=None):
    loss = loss_of(model(x), y)
    if optimizer is not None:
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.item(), len(x)


def fit(epochs, model, loss_of, optimizer, train, valid):
    for epoch in range(epochs):
        model.train()
        for x, y in train:
            step(model, loss_of, x, y, optimizer)
        model.eval()
        with torch.no_grad():
            losses, counts = zip(*[step(model, loss_of, x, y) for x, y in valid])
        print(epoch, np.average(losses, weights=counts))


y = torch.randint(0, 2, (120,))
x = torch.rand(120, 16) + y[:, None]
train, valid = pair(TensorDataset(x[:96], y[:96]), TensorDataset(x[96:], y[96:]), 6)
train, valid = Prepared(train, images), Prepared(valid, images)
model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(16, 2))
fit(4, model, F.cross_entropy, optim.SGD(model.parameters(), lr=0.1, momentum=0.9), train, valid)
