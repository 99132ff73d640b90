"""Training of a denoiser at random times."""
import torch
from torch import nn

steps = 50
betas = torch.linspace(1e-4, 0.02, steps)
alphas_bar = torch.cumprod(1 - betas, dim=0)


def timestep_embedding(t, dim):
    half = dim // 2
    freqs = torch.exp(-torch.arange(half) / half * 4.0)
    args = t[:, None].float() * freqs[None]
    return torch.cat([torch.cos(args), torch.sin(args)], dim=-1)


class Denoiser(nn.Module):
    def __init__(self, dim=2, hidden=64, time_dim=16):
        super().__init__()
        self.time_dim = time_dim
        self.time = nn.Linear(time_dim, hidden)
        self.inp = nn.Linear(dim, hidden)
        self.out = nn.Sequential(nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, dim))

    def forward(self, x, t):
        h = self.inp(x) + self.time(timestep_embedding(t, self.time_dim))
        return self.out(h)


def q_sample(x0, t, noise):
    a = alphas_bar[t].view(-1, 1)
    return a.sqrt() * x0 + (1 - a).sqrt() * noise


model = Denoiser()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
x0 = torch.randn(32, 2)
for _ in range(2):
    t = torch.randint(0, steps, (x0.shape[0],))
    noise = torch.randn_like(x0)
    predicted = model(q_sample(x0, t, noise), t)
    loss = (predicted - noise).square().mean()
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
with torch.inference_mode():
    x = torch.randn(5, 2)
    for i in reversed(range(3)):
        t = torch.full((5,), i, dtype=torch.long)
        x = x - betas[i] * model(x, t)
print(loss.item(), x.shape)
