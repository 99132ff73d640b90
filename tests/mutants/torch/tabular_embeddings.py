"""Categories and numbers of a table together."""
import torch
from torch import nn

cardinalities = [5, 12, 3]
numeric = 4


class TabularNet(nn.Module):
    def __init__(self, cardinalities, numeric, hidden):
        super().__init__()
        self.embeddings = nn.ModuleList([nn.Embedding(c, min(8, (c + 1) // 2)) for c in cardinalities])
        width = sum(e.embedding_dim for e in self.embeddings)
        self.norm = nn.BatchNorm1d(numeric)
        self.layers = nn.Sequential(nn.Linear(width + numeric, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, categories, numbers):
        embedded = [e(categories[:, i]) for i, e in enumerate(self.embeddings)]
        x = torch.cat(embedded + [self.norm(numbers)], dim=1)
        return torch.sigmoid(self.layers(x)).squeeze(-1)


model = TabularNet(cardinalities, numeric, 16)
categories = torch.stack([torch.randint(0, c, (10,)) for c in cardinalities], dim=1)
numbers = torch.randn(10, numeric)
labels = torch.randint(0, 2, (10,)).float()
loss = nn.BCELoss()(model(categories, numbers), labels)
loss.backward()
print(loss.item())
