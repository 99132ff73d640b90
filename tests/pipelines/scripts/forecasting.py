"""Multi-step forecasting of several series with a GRU, plotted at the end."""

import logging
from dataclasses import dataclass, field

import matplotlib.pyplot as plt
import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset, RandomSampler, SequentialSampler

logging.basicConfig(level=logging.INFO)
log = logging.getLogger("forecast")


@dataclass
class Options:
    history: int = 48
    horizon: int = 12
    features: int = 3
    hidden: int = 32
    batch: int = 25
    epochs: int = 1
    betas: tuple = field(default_factory=lambda: (0.9, 0.99))


class Series(Dataset):
    def __init__(self, options, length=1000):
        time = np.arange(length)[:, None]
        phases = np.linspace(0, np.pi, options.features)[None, :]
        self.values = np.sin(time / 20 + phases) + 0.1 * np.random.randn(length, options.features)
        self.options = options

    def __len__(self):
        return len(self.values) - self.options.history - self.options.horizon

    def __getitem__(self, start):
        middle = start + self.options.history
        past = torch.tensor(self.values[start:middle], dtype=torch.float32)
        future = torch.tensor(self.values[middle : middle + self.options.horizon, 0], dtype=torch.float32)
        return past, future


class Forecaster(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.encoder = nn.GRU(options.features, options.hidden, batch_first=True, bidirectional=True)
        self.head = nn.Sequential(nn.Linear(2 * options.hidden, 64), nn.GELU(), nn.Linear(64, options.horizon))

    def forward(self, past):
        outputs, state = self.encoder(past)
        summary = torch.cat([state[0], state[1]], dim=-1)
        return self.head(summary)


def main(options):
    data = Series(options)
    split = int(len(data) * 0.9)
    train_data = torch.utils.data.Subset(data, list(range(split)))
    valid_data = torch.utils.data.Subset(data, list(range(split, len(data))))
    train_loader = DataLoader(train_data, sampler=RandomSampler(train_data), batch_size=options.batch, pin_memory=False)
    valid_loader = DataLoader(valid_data, sampler=SequentialSampler(valid_data), batch_size=options.batch)
    model = Forecaster(options)
    criterion = nn.MSELoss()
    optimizer = optim.Adam(model.parameters(), betas=options.betas)
    scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
    for epoch in range(options.epochs):
        losses = []
        for past, future in train_loader:
            forecast = model(past)
            loss = criterion(forecast, future)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        log.info("epoch %d: %.4f", epoch, np.mean(losses))
        errors = []
        with torch.no_grad():
            for past, future in valid_loader:
                errors.append((model(past) - future).abs().mean(dim=0))
        per_step = torch.stack(errors).mean(dim=0)
        scheduler.step(per_step.mean())
        log.info("by step: %s", per_step.numpy().round(3))
    past, future = valid_data[0]
    with torch.no_grad():
        forecast = model(past.unsqueeze(0)).squeeze(0)
    figure, axes = plt.subplots()
    axes.plot(np.arange(options.history), past[:, 0].numpy(), label="past")
    steps = np.arange(options.history, options.history + options.horizon)
    axes.plot(steps, future.numpy(), label="future")
    axes.plot(steps, forecast.numpy(), label="forecast")
    axes.legend()
    figure.savefig("forecast.png")
    residual = forecast - future
    covariance = residual[:, None] * residual[None, :]
    print(covariance.shape)


if __name__ == "__main__":
    main(Options())
