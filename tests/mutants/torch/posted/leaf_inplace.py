"""A parameter is updated in place outside of no_grad."""
import torch

w = torch.randn(3, requires_grad=True)
loss = (w**2).sum()
loss.backward()
w -= 0.1 * w.grad  # instead: w.data -= 0.1 * w.grad
print(w)
