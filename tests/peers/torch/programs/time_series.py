import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

steps = torch.arange(0, 120) * 0.1
series = torch.sin(steps) + 0.1 * torch.randn(120)


def windows(data, length):
    xs, ys = [], []
    for i in range(len(data) - length):
        xs.append(data[i:i + length])
        ys.append(data[i + length])
    return torch.stack(xs).unsqueeze(-1), torch.stack(ys)


x, y = windows(series, 12)
loader = DataLoader(TensorDataset(x, y), batch_size=18, shuffle=True, drop_last=True)


class Forecaster(nn.Module):
    def __init__(self, hidden=10, layers=2):
        super().__init__()
        self.hidden = hidden
        self.layers = layers
        self.lstm = nn.LSTM(1, hidden, layers, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        h0 = torch.zeros(self.layers, x.size(0), self.hidden)
        c0 = torch.zeros(self.layers, x.size(0), self.hidden)
        out, _ = self.lstm(x, (h0, c0))
        return self.head(out[:, -1, :])


model = Forecaster()
criterion = nn.MSELoss()
for inputs, labels in loader:
    predictions = model(inputs).squeeze(1)
    loss = criterion(predictions, labels)
    loss.backward()

conv = nn.Sequential(nn.Conv1d(1, 4, 3, padding=1), nn.ReLU(), nn.MaxPool1d(2), nn.Conv1d(4, 8, 3), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(8, 1))
print(conv(x.permute(0, 2, 1)).shape)
