import copy
import logging
import sys

import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset, random_split

logging.basicConfig(stream=sys.stdout, level=logging.INFO)


class EMA:
    def __init__(self, model, decay=0.9):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for ours, theirs in zip(self.module.state_dict().values(), model.state_dict().values()):
            ours.copy_(self.decay * ours + (1 - self.decay) * theirs)


def evaluate(model, loader, criterion):
    total, seen = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            total += criterion(model(x), y).item() * len(x)
            seen += len(x)
    return total / seen


def main(epochs=5, batch_size=18):
    x = torch.rand(300, 3)
    dataset = TensorDataset(x, (x ** 2).sum(1, keepdim=True))
    train_set, val_set = random_split(dataset, [240, 60])
    train_loader = DataLoader(train_set, batch_size, shuffle=True)
    val_loader = DataLoader(val_set, batch_size)
    model = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
    ema = EMA(model)
    criterion = nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = ReduceLROnPlateau(optimizer, patience=1)
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
            ema.update(model)
        loss = evaluate(ema.module, val_loader, criterion)
        scheduler.step(loss)
        logging.info("epoch %d: %.5f", epoch, loss)
    torch.save(ema.module.state_dict(), "ema.pt")


main()
