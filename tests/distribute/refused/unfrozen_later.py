"""refused: PT412 parameters are unfrozen after DistributedDataParallel has chosen what it reduces."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.rand(64, 4)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
model[0].requires_grad_(False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(4):
    if epoch == 2:
        model[0].requires_grad_(True)
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(a), b).backward()
        optimizer.step()
    print(epoch)
