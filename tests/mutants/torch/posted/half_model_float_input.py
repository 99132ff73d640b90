import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 2))
net.half()
batch = torch.randn(8, 10)
out = net(batch)  # instead: out = net(batch.half())
print(out.dtype)
