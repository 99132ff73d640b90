"""A GAN whose discriminator is called twice before one backward pass."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

real_data = torch.randn(256, 4, generator=torch.Generator().manual_seed(1)) + 1.0
generator = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 4))
discriminator = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())
dataloader = DataLoader(TensorDataset(real_data), 32, shuffle=True)
optimizer_G = torch.optim.Adam(generator.parameters(), lr=0.002)
optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=0.002)
bce = nn.BCELoss()
for epoch in range(3):
    for (imgs,) in dataloader:
        valid, fake = torch.ones(len(imgs), 1), torch.zeros(len(imgs), 1)
        optimizer_G.zero_grad()
        gen = generator(torch.randn(len(imgs), 8))
        g_loss = bce(discriminator(gen), valid)
        g_loss.backward()
        optimizer_G.step()
        optimizer_D.zero_grad()
        d_loss = (bce(discriminator(imgs), valid) + bce(discriminator(gen.detach()), fake)) / 2
        d_loss.backward()
        optimizer_D.step()
    print("epoch", epoch, d_loss.item(), g_loss.item())
