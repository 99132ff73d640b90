"""A loss that is divided by the weights of its samples, one that leaves padding out, and losses that are kept, drawn from a list and saved."""
import json

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

points = torch.rand(96, 4)
labels = (points.sum(1) > 2.2).long()
words = torch.where(torch.rand(96, 5) < 0.3, 0, torch.randint(1, 6, (96, 5)))
loader = DataLoader(TensorDataset(points, labels, words), batch_size=12, shuffle=True)
model = nn.Sequential(nn.Linear(4, 16), nn.Tanh())
head, tagger = nn.Linear(16, 2), nn.Linear(16, 30)
net = nn.ModuleDict({"body": model, "head": head, "tagger": tagger})


class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = net

    def forward(self, x):
        hidden = self.parts["body"](x)
        return self.parts["head"](hidden), self.parts["tagger"](hidden).view(-1, 6)


both = Both()
counts = torch.bincount(labels, minlength=2).float()
criterion = nn.CrossEntropyLoss(weight=counts.sum() / (2 * counts))
optimizer = torch.optim.SGD(both.parameters(), lr=0.1)
kept = []
for epoch in range(3):
    for x, y, w in loader:
        optimizer.zero_grad()
        classes, tags = both(x)
        first = criterion(classes, y)
        second = F.cross_entropy(tags, w.view(-1), ignore_index=0)
        loss = first + 0.5 * second
        loss.backward()
        optimizer.step()
        kept.append(loss.item())
    print(epoch, f"{loss.item():.4f} {first.item():.4f}")
print(f"lowest {min(kept):.4f}, highest {max(kept):.4f}")
with open("kept.json", "w") as file:
    json.dump(kept, file)
