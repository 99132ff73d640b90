import torch
import torch.nn as nn

gen = nn.Linear(8, 4)
weights = gen.parameters()  # instead: weights = list(gen.parameters())
count = sum(p.numel() for p in weights)
print(count)
optimizer = torch.optim.Adam(weights, lr=1e-3)
optimizer.step()
