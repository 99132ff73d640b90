"""A boolean mask from the wrong tensor."""
import torch

scores = torch.randn(4, 7)
padding = torch.zeros(7, 4, dtype=torch.bool)  # instead: padding = torch.zeros(4, 7, dtype=torch.bool)
scores = scores.masked_fill(padding, float("-inf"))
print(scores.softmax(-1).shape)
