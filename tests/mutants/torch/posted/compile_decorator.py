"""A compiled function adds a bias of the wrong size."""
import torch


@torch.compile(backend="eager", fullgraph=True)
def affine(x, w, b):
    return torch.addmm(b, x, w)


x, w = torch.randn(5, 3), torch.randn(3, 4)
with torch.no_grad():
    print(torch.addmm(torch.zeros(3), x, w).shape)  # instead: print(torch.addmm(torch.zeros(4), x, w).shape)
