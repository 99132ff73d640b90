"""refused: PT412 a module is frozen as a whole, and still given to an optimizer."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.rand(64, 4), torch.rand(64, 2)), batch_size=8, shuffle=True)
encoder, decoder = nn.Linear(4, 8), nn.Linear(8, 2)
for p in encoder.parameters():
    p.requires_grad = False
optimizer = torch.optim.Adam(list(encoder.parameters()) + list(decoder.parameters()), lr=0.01)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.mse_loss(decoder(encoder(x)), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch)
