"""A spectral convolution of Fourier neural operators."""
import torch
from torch import nn


class SpectralConv(nn.Module):
    def __init__(self, cin, cout, modes):
        super().__init__()
        self.modes = modes
        scale = 1 / (cin * cout)
        self.weight = nn.Parameter(scale * torch.rand(cin, cout, modes, dtype=torch.cfloat))
        self.cout = cout

    def forward(self, x):
        ft = torch.fft.rfft(x)
        out = torch.zeros(x.size(0), self.cout, x.size(-1) // 2 + 1, dtype=torch.cfloat)
        out[:, :, :self.modes] = torch.einsum("bix,iox->box", ft[:, :, :self.modes], self.weight)
        return torch.fft.irfft(out, n=x.size(-1))


class FNO(nn.Module):
    def __init__(self, width=8, modes=6):
        super().__init__()
        self.lift = nn.Linear(2, width)
        self.spectral = SpectralConv(width, width, modes)
        self.local = nn.Conv1d(width, width, 1)
        self.project = nn.Linear(width, 1)

    def forward(self, x):
        x = self.lift(x).permute(0, 2, 1)
        x = torch.relu(self.spectral(x) + self.local(x))
        return self.project(x.permute(0, 2, 1))


grid = torch.linspace(0, 1, 32).view(1, 32, 1).expand(3, 32, 1)
u = torch.rand(3, 32, 1)
print(FNO()(torch.cat([u, grid], dim=-1)).shape)
