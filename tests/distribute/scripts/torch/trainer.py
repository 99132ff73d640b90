"""A trainer class around a recurrent network."""
import logging

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

logging.basicConfig(level=logging.INFO)
logger = logging.getLogger(__name__)


class Sums(Dataset):
    def __init__(self, count):
        gen = torch.Generator().manual_seed(97)
        self.x = torch.rand(count, 7, 1, generator=gen)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.x[index].sum(dim=0)


class Recurrent(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.head(out[:, -1])


class Trainer:
    def __init__(self, model, loader, lr):
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.criterion = nn.MSELoss()

    def run_epoch(self, epoch):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
        return loss.item()

    def fit(self, epochs):
        for epoch in range(epochs):
            logger.info("epoch %d", epoch)
            print("loss", self.run_epoch(epoch))


if __name__ == "__main__":
    trainer = Trainer(Recurrent(8), DataLoader(Sums(160), batch_size=12, shuffle=True), lr=0.02)
    trainer.fit(4)
    torch.save({"model": trainer.model.state_dict(), "optimizer": trainer.optimizer.state_dict()}, "trainer.pt")
