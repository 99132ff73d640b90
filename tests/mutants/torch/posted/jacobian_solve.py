"""A Jacobian that is not square is solved with."""
import torch
from torch.func import jacrev


def system(x):
    return torch.stack([x[0] ** 2 + x[1], x[1] * x[2]])  # instead: return torch.stack([x[0] ** 2 + x[1], x[1] * x[2], x[0]])


x = torch.tensor([1.0, 2.0, 3.0])
jacobian = jacrev(system)(x)
step = torch.linalg.solve(jacobian, system(x))
print(x - step)
