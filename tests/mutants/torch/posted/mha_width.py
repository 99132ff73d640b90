"""An attention module used with keys of another width."""
import torch
from torch import nn

attention = nn.MultiheadAttention(embed_dim=32, num_heads=4, batch_first=True)
query = torch.randn(2, 5, 32)
memory = torch.randn(2, 9, 24)  # instead: memory = torch.randn(2, 9, 32)
out, weights = attention(query, memory, memory)
print(out.shape, weights.shape)
