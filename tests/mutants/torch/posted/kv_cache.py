"""Keys are appended to a cache along the heads."""
import torch
import torch.nn.functional as F

cache_k = torch.zeros(1, 4, 6, 16)
cache_v = torch.zeros(1, 4, 6, 16)
k, v, q = torch.randn(1, 4, 1, 16), torch.randn(1, 4, 1, 16), torch.randn(1, 4, 1, 16)
keys = torch.cat([cache_k, k], dim=1)  # instead: keys = torch.cat([cache_k, k], dim=2)
values = torch.cat([cache_v, v], dim=2)
print(F.scaled_dot_product_attention(q, keys, values).shape)
