"""Gradients of four batches make a step; the GPU is used where there is one."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

gen = torch.Generator().manual_seed(7)
x = torch.randn(256, 6, generator=gen)
data = TensorDataset(x, x.sum(dim=1, keepdim=True))
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
loader = DataLoader(data, batch_size=6, shuffle=True, pin_memory=torch.cuda.is_available())
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
accumulate = 4

for epoch in range(3):
    optimizer.zero_grad()
    for i, (inputs, targets) in enumerate(loader):
        inputs, targets = inputs.to(device, non_blocking=True), targets.to(device, non_blocking=True)
        output = model(inputs)
        loss = nn.functional.mse_loss(output, targets) / accumulate
        loss.backward()
        if (i + 1) % accumulate == 0 or i + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
    print("epoch", epoch, "done")
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "accumulated.pt")
