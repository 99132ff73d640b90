import torch
import torch.nn as nn
import torch.nn.functional as F

T = 20
betas = torch.linspace(1e-4, 0.02, T)
alphas = 1.0 - betas
alphas_cumprod = torch.cumprod(alphas, dim=0)
alphas_cumprod_prev = F.pad(alphas_cumprod[:-1], (1, 0), value=1.0)


def extract(a, t, shape):
    out = a.gather(-1, t)
    return out.reshape(t.shape[0], *((1,) * (len(shape) - 1)))


def q_sample(x_start, t, noise):
    return extract(alphas_cumprod.sqrt(), t, x_start.shape) * x_start + extract((1 - alphas_cumprod).sqrt(), t, x_start.shape) * noise


class SinusoidalEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, time):
        half = self.dim // 2
        frequencies = torch.exp(torch.arange(half) * -(4.0 / (half - 1)))
        angles = time[:, None] * frequencies[None, :]
        return torch.cat((angles.sin(), angles.cos()), dim=-1)


class Block(nn.Module):
    def __init__(self, inputs, outputs, time_dim):
        super().__init__()
        self.time = nn.Linear(time_dim, outputs)
        self.conv1 = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1)
        self.norm = nn.GroupNorm(4, outputs)

    def forward(self, x, t):
        h = F.silu(self.conv1(x))
        h = h + self.time(t)[:, :, None, None]
        return self.norm(F.silu(self.conv2(h)))


class SmallUnet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = SinusoidalEmbedding(16)
        self.down = Block(3, 8, 16)
        self.middle = Block(8, 16, 16)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.out = Block(24, 8, 16)
        self.last = nn.Conv2d(8, 3, 1)

    def forward(self, x, time):
        t = self.embed(time)
        a = self.down(x, t)
        b = self.middle(F.avg_pool2d(a, 2), t)
        c = torch.cat([self.up(b), a], dim=1)
        return self.last(self.out(c, t))


model = SmallUnet()
images = torch.randn(4, 3, 16, 16)
t = torch.randint(0, T, (4,))
noise = torch.randn_like(images)
noisy = q_sample(images, t, noise)
loss = F.l1_loss(model(noisy, t.float()), noise)
loss.backward()
print(loss.item())
