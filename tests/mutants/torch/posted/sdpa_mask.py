"""An attention mask made for another length."""
import torch
import torch.nn.functional as F

batch, heads, length, size = 2, 4, 9, 16
q = torch.randn(batch, heads, length, size)
k = torch.randn(batch, heads, length, size)
v = torch.randn(batch, heads, length, size)
mask = torch.ones(length + 1, length + 1, dtype=torch.bool).tril()  # instead: mask = torch.ones(length, length, dtype=torch.bool).tril()
out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
print(out.shape)
