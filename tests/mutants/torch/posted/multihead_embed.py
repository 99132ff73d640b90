import torch
import torch.nn as nn

attention = nn.MultiheadAttention(embed_dim=30, num_heads=4)  # instead: attention = nn.MultiheadAttention(embed_dim=32, num_heads=4)
x = torch.randn(5, 2, attention.embed_dim)
out, weights = attention(x, x, x)
print(out.shape)
