"""Features collected by a forward hook are joined along the wrong axis."""
import torch
from torch import nn

features = []
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Conv2d(4, 8, 3), nn.ReLU())
net[0].register_forward_hook(lambda module, args, output: features.append(output))
net[2].register_forward_hook(lambda module, args, output: features.append(output))
net(torch.randn(2, 1, 10, 10))
pooled = [feature.mean(dim=(2, 3)) for feature in features]
joined = torch.cat(pooled, dim=0)  # instead: joined = torch.cat(pooled, dim=1)
print(joined.shape)
