"""Batches are slices of tensors; no loader."""
import torch
import torch.nn as nn

generator = torch.Generator().manual_seed(95)
X = torch.randn(252, 4, generator=generator)
Y = X @ torch.tensor([[1.0], [2.0], [-1.0], [0.5]])
batch_size = 48

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

for epoch in range(6):
    permutation = torch.randperm(X.size()[0])
    for i in range(0, X.size()[0], batch_size):
        indices = permutation[i:i + batch_size]
        batch_x, batch_y = X[indices], Y[indices]
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(batch_x), batch_y)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
