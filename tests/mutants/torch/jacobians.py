"""Jacobian, Hessian and a vmapped distance."""
import torch
from torch.func import hessian, jacrev, vmap

w = torch.randn(3, 4)


def model(x):
    return torch.tanh(w @ x)


def energy(x):
    return (model(x) ** 2).sum()


x = torch.randn(4)
jacobian = jacrev(model)(x)
curvature = hessian(energy)(x)
step = torch.linalg.solve(curvature + 10 * torch.eye(4), jacobian.T @ model(x))
batch = torch.randn(7, 4)
outputs = vmap(model)(batch)
distances = vmap(lambda a, b: (a - b).norm())(outputs, outputs.flip(0))
print(step.shape, outputs.shape, distances.shape)
