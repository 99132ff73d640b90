import torch
import torch.nn.functional as F

features = torch.randn(4, 7)
probs = F.softmax(features, dim=2)  # instead: probs = F.softmax(features, dim=1)
print(probs.sum())
