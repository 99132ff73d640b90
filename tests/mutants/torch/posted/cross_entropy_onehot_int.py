import torch
import torch.nn as nn
import torch.nn.functional as F

logits = torch.randn(6, 4, requires_grad=True)
target = torch.tensor([0, 1, 2, 3, 1, 0])
one_hot = F.one_hot(target, 4)
loss = nn.CrossEntropyLoss()(logits, one_hot)  # instead: loss = nn.CrossEntropyLoss()(logits, one_hot.float())
loss.backward()
