"""One-hot vectors by scatter with an int32 index."""
import torch

labels = torch.tensor([2, 0, 1], dtype=torch.int16)  # instead: labels = torch.tensor([2, 0, 1], dtype=torch.int64)
one_hot = torch.zeros(3, 4).scatter_(1, labels.unsqueeze(1), 1.0)
print(one_hot)
