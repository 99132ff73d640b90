"""A compiled classifier whose head expects other features than the trunk makes."""
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, features=20, hidden=64, classes=5):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(features, hidden), nn.GELU(), nn.Linear(hidden, hidden // 2))
        self.head = nn.Linear(hidden, classes)  # instead: self.head = nn.Linear(hidden // 2, classes)

    def forward(self, x):
        return self.head(self.trunk(x))


model = Classifier()
fast = torch.compile(model, backend="eager")
with torch.no_grad():
    plain = model(torch.randn(8, 20))
print(plain.shape)
