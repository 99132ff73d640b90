import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1), nn.Sigmoid())
loss_fn = nn.BCELoss()
features = torch.rand(16, 4)
labels = torch.randint(0, 2, (16,)).float()
loss = loss_fn(net(features), labels)  # instead: loss = loss_fn(net(features).squeeze(1), labels)
print(loss.item())
