"""Cross entropy wants one class for each row."""
import torch
from torch import nn

logits = torch.randn(16, 10)
labels = torch.zeros(15, dtype=torch.long)
loss = nn.functional.cross_entropy(logits, labels)  # raises ValueError
