"""refused: PT412"""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)

    def loss(self, x):
        return self.fc(x).mean()


net = Net()
loader = DataLoader(TensorDataset(torch.ones(8, 2)), batch_size=2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for (x,) in loader:
    net.loss(x).backward()
    optimizer.step()
