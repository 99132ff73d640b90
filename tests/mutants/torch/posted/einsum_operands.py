"""An einsum with two terms and three operands."""
import torch

a, b, c = torch.randn(3, 4), torch.randn(4, 5), torch.randn(5)
print(torch.einsum("ij,jk->ik", a, b, c))  # instead: print(torch.einsum("ij,jk,k->i", a, b, c))
