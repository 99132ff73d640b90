"""A compiled module, where PyTorch can compile, that DataParallel-style code moves by `.cuda()`."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

gen = torch.Generator().manual_seed(3)
x = torch.randn(192, 6, generator=gen)
data = TensorDataset(x, (x[:, :1] > 0).float())
loader = DataLoader(data, batch_size=12, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
if torch.cuda.is_available():
    model.cuda(0)
if hasattr(torch, "compile") and torch.cuda.is_available():
    model = torch.compile(model)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(4):
    for inputs, targets in loader:
        if torch.cuda.is_available():
            inputs, targets = inputs.cuda(0), targets.cuda(0)
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(model(inputs), targets)
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "finished")
