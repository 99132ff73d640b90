"""A user's own Dataset of sensor windows, classified by a 1-d convolution."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset


@dataclass
class Config:
    channels: int = 6
    window: int = 128
    classes: int = 5
    samples: int = 600
    batch_size: int = 32
    epochs: int = 2
    lr: float = 3e-4


class Windows(Dataset):
    def __init__(self, config, seed=0):
        rng = np.random.default_rng(seed)
        self.signals = rng.standard_normal((config.samples, config.channels, config.window)).astype(np.float32)
        self.labels = rng.integers(0, config.classes, size=config.samples)

    def __len__(self):
        return len(self.signals)

    def __getitem__(self, index):
        x = torch.from_numpy(self.signals[index])
        x = (x - x.mean(dim=1, keepdim=True)) / (x.std(dim=1, keepdim=True) + 1e-6)
        return x, int(self.labels[index])


class Classifier(nn.Module):
    def __init__(self, config, hidden=64):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(config.channels, hidden, kernel_size=5, stride=2, padding=2),
            nn.ReLU(),
            nn.Conv1d(hidden, hidden, kernel_size=5, stride=2, padding=2),
            nn.ReLU(),
        )
        self.head = nn.Linear(hidden * (config.window // 4), config.classes)

    def forward(self, x):
        h = self.features(x)
        return self.head(h.view(h.size(0), -1))


def run_epoch(model, loader, criterion, optimizer=None):
    total, count = 0.0, 0
    for signals, targets in loader:
        scores = model(signals)
        loss = criterion(scores, targets)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        total += loss.item() * len(targets)
        count += len(targets)
    return total / count


def main():
    config = Config()
    data = Windows(config)
    cut = int(0.8 * len(data))
    train = DataLoader(Subset(data, range(cut)), batch_size=config.batch_size, shuffle=True, drop_last=True)
    valid = DataLoader(Subset(data, range(cut, len(data))), batch_size=config.batch_size)
    model = Classifier(config)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=config.epochs)
    best = float("inf")
    for epoch in range(config.epochs):
        model.train()
        train_loss = run_epoch(model, train, criterion, optimizer)
        model.eval()
        with torch.inference_mode():
            valid_loss = run_epoch(model, valid, criterion)
        scheduler.step()
        if valid_loss < best:
            best = valid_loss
        print(f"{epoch}: {train_loss:.3f} {valid_loss:.3f} lr {scheduler.get_last_lr()[0]:.2e}")
    batch, labels = next(iter(valid))
    confusion = torch.zeros(config.classes, config.classes, dtype=torch.long)
    predictions = model(batch).argmax(1)
    for target, guess in zip(labels, predictions):
        confusion[target, guess] += 1
    recall = confusion.diag().float() / confusion.sum(1).clamp(min=1)
    print(recall)


if __name__ == "__main__":
    main()
