"""Alternating steps of a generator and a discriminator."""
import torch
import torch.nn as nn

latent_dim, image_size, batch = 16, 64, 8


def block(i, o):
    return [nn.Linear(i, o), nn.LeakyReLU(0.2)]


generator = nn.Sequential(*block(latent_dim, 32), *block(32, 48), nn.Linear(48, image_size), nn.Tanh())
discriminator = nn.Sequential(*block(image_size, 48), *block(48, 32), nn.Linear(32, 1))
opt_g = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(discriminator.parameters(), lr=2e-4)
adversarial = nn.BCEWithLogitsLoss()
valid = torch.ones(batch, 1)
fake = torch.zeros(batch, 1)
for step in range(2):
    real = torch.rand(batch, image_size) * 2 - 1
    opt_g.zero_grad()
    z = torch.randn(batch, latent_dim)
    images = generator(z)
    g_loss = adversarial(discriminator(images), valid)
    g_loss.backward()
    opt_g.step()
    opt_d.zero_grad()
    d_loss = (adversarial(discriminator(real), valid) + adversarial(discriminator(images.detach()), fake)) / 2
    d_loss.backward()
    opt_d.step()
print(g_loss.item(), d_loss.item())
