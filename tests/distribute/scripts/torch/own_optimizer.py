"""A module that makes its own optimizer and takes its own steps; gradients of two batches are added up for each."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
        self.loss = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.parameters(), lr=0.2, momentum=0.9)

    def forward(self, x):
        return self.body(x)


x = torch.randn(96, 6)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=12, shuffle=True)
model = Classifier()
for epoch in range(6):
    for i, (a, b) in enumerate(loader):
        loss = model.loss(model(a), b)
        loss.backward()
        if i % 2 == 1:
            model.optimizer.step()
            model.optimizer.zero_grad()
    print(epoch, loss.item())
