"""Token indices that became floats."""
import torch
from torch import nn

table = nn.Embedding(100, 16)
tokens = torch.zeros(4, 12)  # instead: tokens = torch.zeros(4, 12, dtype=torch.long)
vectors = table(tokens)
print(vectors.mean(1).shape)
