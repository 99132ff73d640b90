"""A data set class, loaders and an epoch of evaluation."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split


class Sine(Dataset):
    def __init__(self, count, window):
        time = torch.linspace(0, 20, count + window)
        self.values = torch.sin(time)
        self.count = count
        self.window = window

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        x = self.values[index:index + self.window]
        y = self.values[index + self.window - 1]
        return x.unsqueeze(-1), y.unsqueeze(0)


dataset = Sine(60, 8)
train, test = random_split(dataset, [48, 12])
loader = DataLoader(train, batch_size=16, shuffle=True)
model = nn.Sequential(nn.Flatten(), nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters())
loss_fn = nn.MSELoss()
for x, y in loader:
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
model.eval()
total = 0.0
with torch.no_grad():
    for x, y in DataLoader(test, batch_size=4):
        total += ((model(x) - y) ** 2).sum().item()
print(total / len(test))
