"""PyTorch: a variational autoencoder and a GAN on two-dimensional data, custom loss and hooks."""
from collections import OrderedDict
from typing import Tuple

import torch
import torch.nn as nn
import torch.optim as optim
from torch import Tensor


def ring(n: int, noise: float = 0.05) -> Tensor:
    angle = 2 * torch.pi * torch.rand(n)
    points = torch.stack([torch.cos(angle), torch.sin(angle)], dim=1)
    return points + noise * torch.randn_like(points)


class VAE(nn.Module):
    def __init__(self, inputs=2, hidden=16, latent=3):
        super().__init__()
        self.encoder = nn.Sequential(
            OrderedDict([("fc1", nn.Linear(inputs, hidden)), ("act", nn.Tanh()), ("fc2", nn.Linear(hidden, 2 * latent))])
        )
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.Tanh(), nn.Linear(hidden, inputs))
        self.latent = latent

    def encode(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        mu, log_var = self.encoder(x).chunk(2, dim=-1)
        return mu, log_var

    def reparameterise(self, mu, log_var):
        if not self.training:
            return mu
        return mu + torch.exp(0.5 * log_var) * torch.randn_like(mu)

    def forward(self, x):
        mu, log_var = self.encode(x)
        return self.decoder(self.reparameterise(mu, log_var)), mu, log_var

    def sample(self, n):
        with torch.no_grad():
            return self.decoder(torch.randn(n, self.latent))


class ELBO(nn.Module):
    def __init__(self, beta=0.1):
        super().__init__()
        self.beta = beta

    def forward(self, output, target):
        recon, mu, log_var = output
        mse = ((recon - target) ** 2).sum(dim=1).mean()
        kl = -0.5 * (1 + log_var - mu.pow(2) - log_var.exp()).sum(dim=1).mean()
        return mse + self.beta * kl, {"mse": mse.item(), "kl": kl.item()}


def mlp(*sizes, last=None):
    layers = []
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        layers.append(nn.Linear(a, b))
        if i < len(sizes) - 2:
            layers.append(nn.LeakyReLU(0.2))
    if last is not None:
        layers.append(last)
    return nn.Sequential(*layers)


class GAN:
    def __init__(self, noise=4):
        self.noise = noise
        self.G = mlp(noise, 32, 32, 2)
        self.D = mlp(2, 32, 1, last=nn.Sigmoid())
        self.opt_g = optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.5, 0.999))
        self.opt_d = optim.Adam(self.D.parameters(), lr=1e-3)
        self.bce = nn.BCELoss()

    def step(self, real):
        n = real.shape[0]
        ones, zeros = torch.ones(n, 1), torch.zeros(n, 1)
        fake = self.G(torch.randn(n, self.noise))
        d_loss = self.bce(self.D(real), ones) + self.bce(self.D(fake.detach()), zeros)
        self.opt_d.zero_grad()
        d_loss.backward()
        self.opt_d.step()
        g_loss = self.bce(self.D(fake), ones)
        self.opt_g.zero_grad()
        g_loss.backward()
        self.opt_g.step()
        return d_loss.item(), g_loss.item()


def gradient_penalty(D, real, fake):
    eps = torch.rand(real.size(0), 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    (grad,) = torch.autograd.grad(D(mixed).sum(), mixed, create_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


torch.manual_seed(3)
vae, criterion = VAE(), ELBO()
activations = {}
handle = vae.encoder.act.register_forward_hook(lambda m, i, o: activations.update(tanh=o.detach()))
optimiser = optim.SGD(vae.parameters(), lr=0.05, momentum=0.9)
for step in range(50):
    batch = ring(64)
    loss, parts = criterion(vae(batch), batch)
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
handle.remove()
print(f"loss {loss.item():.3f}", sorted(parts), activations["tanh"].shape, vae.sample(5).shape)

vae.eval()
recon, mu, _ = vae(ring(10))
print(recon.shape, mu.std(dim=0).shape, vae.encoder[0].weight.shape)

gan = GAN()
history = [gan.step(ring(32)) for _ in range(20)]
d_losses, g_losses = zip(*history)
print(len(d_losses), min(g_losses) > 0, gradient_penalty(gan.D, ring(8), gan.G(torch.randn(8, 4)).detach()).ndim)
names = {name: tuple(p.shape) for name, p in vae.named_parameters()}
print(names["encoder.fc2.bias"], names["decoder.0.weight"])
frozen = [p for n, p in vae.named_parameters() if n.startswith("decoder")]
for p in frozen:
    p.requires_grad = False
print(sum(p.requires_grad for p in vae.parameters()))
