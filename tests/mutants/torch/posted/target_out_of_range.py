import torch
import torch.nn.functional as F

scores = torch.randn(3, 5)
labels = torch.tensor([1, 5, 2])  # instead: labels = torch.tensor([1, 4, 2])
loss = F.cross_entropy(scores, labels)
print(loss)
