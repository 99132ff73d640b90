"""The network is one of a module's, by the name that an argument gives: `nets.__dict__[args.arch]()`."""
import argparse

import nets
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--arch", default="wide", choices=sorted(name for name in nets.__dict__ if name.islower()))
args = parser.parse_args()

x = torch.randn(96, 3)
loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=12, shuffle=True)
model = nets.__dict__[args.arch]()
print(nets.describe(model), "parameters")
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
for epoch in range(6):
    for a, b in loader:
        loss = nn.functional.cross_entropy(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
