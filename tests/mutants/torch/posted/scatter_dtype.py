"""A scatter of another dtype."""
import torch

labels = torch.tensor([[1], [2], [0]])
hot = torch.zeros(3, 3, dtype=torch.long)  # instead: hot = torch.zeros(3, 3)
hot.scatter_(1, labels, torch.ones(3, 1))
print(hot)
