import torch
import torch.nn as nn

model = nn.Linear(6, 1)
criterion = nn.MSELoss(reduction="none")
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(3):
    x = torch.randn(12, 6)
    y = torch.randn(12, 1)
    loss = criterion(model(x), y)
    opt.zero_grad()
    loss.backward()  # instead: loss.mean().backward()
    opt.step()
