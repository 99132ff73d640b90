"""A block and a network of blocks: `migrate --all` types both, each for itself."""

from torch import nn


class Block(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.layers = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))

    def forward(self, x):
        return x + self.layers(x)


class Net(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.blocks = nn.Sequential(Block(48, 192), Block(48, 192))
        self.head = nn.Linear(48, classes)

    def forward(self, x):
        return self.head(self.blocks(x))
