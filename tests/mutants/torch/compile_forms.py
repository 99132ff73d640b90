"""torch.compile as a call and as a decorator, kept eager."""
import torch
from torch import nn


@torch.compile(backend="eager")
def gelu_gate(x, gate):
    return torch.nn.functional.gelu(gate) * x


class GatedMLP(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.up = nn.Linear(dim, 2 * hidden)
        self.down = nn.Linear(hidden, dim)

    def forward(self, x):
        value, gate = self.up(x).chunk(2, dim=-1)
        return self.down(gelu_gate(value, gate))


model = torch.compile(GatedMLP(12, 24), backend="eager", dynamic=False)
x = torch.randn(3, 5, 12)
y = model(x)
loss = (y - x).pow(2).mean()
loss.backward()
print(y.shape, loss.item())
