import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 1))
a, b = torch.rand(2, 3), torch.rand(2, 3)
y = net(a, b)  # instead: y = net(a + b)
print(y)
