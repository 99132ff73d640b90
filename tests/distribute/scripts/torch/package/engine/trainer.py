import logging
import os

import torch
from torch import nn

log = logging.getLogger(__name__)


class Trainer:
    def __init__(self, model, train_loader, test_loader, lr, out):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.train_loader = train_loader
        self.test_loader = test_loader
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.criterion = nn.CrossEntropyLoss()
        self.out = out
        self.best = 0.0

    def run(self, epochs):
        for epoch in range(epochs):
            loss = self._train_epoch()
            accuracy = self._evaluate()
            log.info("epoch %d: loss %.4f, accuracy %.3f", epoch, loss, accuracy)
            if accuracy > self.best:
                self.best = accuracy
                self._save("best.pt")

    def _train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            x, y = x.to(self.device), y.to(self.device)
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(x)
        return total / len(self.train_loader.dataset)

    @torch.no_grad()
    def _evaluate(self):
        self.model.eval()
        hits = 0
        for x, y in self.test_loader:
            hits += (self.model(x.to(self.device)).argmax(1).cpu() == y).sum().item()
        return hits / len(self.test_loader.dataset)

    def _save(self, name):
        torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}, os.path.join(self.out, name))
