"""A parameter is changed in place while gradients are recorded."""
import torch

weight = torch.ones(4, requires_grad=True)
loss = (weight * torch.arange(4.0)).sum()
loss.backward()
weight -= 0.1 * weight.grad  # instead: weight = (weight - 0.1 * weight.grad).detach()
print(weight)
