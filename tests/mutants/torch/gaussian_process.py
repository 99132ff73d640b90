"""Regression with a radial kernel and a Cholesky factor."""
import torch


def kernel(a, b, scale):
    difference = a.unsqueeze(1) - b.unsqueeze(0)
    return torch.exp(-0.5 * (difference / scale).pow(2).sum(dim=-1))


x = torch.linspace(0, 1, 15).unsqueeze(-1)
y = torch.sin(6 * x).squeeze(-1)
x_new = torch.linspace(0, 1, 40).unsqueeze(-1)
log_scale = torch.tensor(-1.0, requires_grad=True)
for _ in range(3):
    k = kernel(x, x, log_scale.exp()) + 1e-2 * torch.eye(15)
    chol = torch.linalg.cholesky(k)
    alpha = torch.cholesky_solve(y.unsqueeze(1), chol)
    nll = 0.5 * (y @ alpha.squeeze(1)) + chol.diagonal().log().sum()
    gradient, = torch.autograd.grad(nll, log_scale)
    log_scale = (log_scale - 0.01 * gradient).detach().requires_grad_()
cross = kernel(x_new, x, log_scale.exp().detach())
mean = cross @ alpha.detach()
v = torch.linalg.solve_triangular(chol.detach(), cross.T, upper=False)
variance = 1 - (v ** 2).sum(dim=0)
print(mean.squeeze().shape, variance.min().item())
