"""Gradient descent with autograd and no optimiser."""
import torch

torch.manual_seed(3)
n, d = 50, 3
X = torch.randn(n, d)
true_w = torch.tensor([1.5, -2.0, 0.5])
y = X @ true_w + 0.3 + 0.01 * torch.randn(n)
w = torch.zeros(d, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for step in range(20):
    prediction = X @ w + b
    loss = ((prediction - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
        w.grad.zero_()
        b.grad.zero_()
design = torch.cat([X, torch.ones(n, 1)], dim=1)
exact = torch.linalg.lstsq(design, y.unsqueeze(1)).solution
print(loss.item(), exact.squeeze(1), w.detach())
