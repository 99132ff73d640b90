"""The encoder is frozen as a whole at first, and trained from the third epoch on."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

x = torch.rand(96, 4)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=12, shuffle=True)
encoder, head = nn.Sequential(nn.Linear(4, 8), nn.Tanh()), nn.Linear(8, 1)
encoder.requires_grad_(False)
for_encoder = torch.optim.SGD(encoder.parameters(), lr=0.05)
for_head = torch.optim.SGD(head.parameters(), lr=0.05)
for epoch in range(6):
    if epoch == 2:
        encoder.requires_grad_(True)
    for a, b in loader:
        for_encoder.zero_grad()
        for_head.zero_grad()
        loss = nn.functional.mse_loss(head(encoder(a)), b)
        loss.backward()
        for_encoder.step()
        for_head.step()
    print(epoch, loss.item())
