"""Patches, a class token and an encoder."""
import torch
from torch import nn


class ViT(nn.Module):
    def __init__(self, image=32, patch=8, dim=48, depth=2, heads=4, classes=10):
        super().__init__()
        self.patch = patch
        count = (image // patch) ** 2
        self.embed = nn.Linear(3 * patch * patch, dim)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.zeros(1, count + 1, dim))
        layer = nn.TransformerEncoderLayer(dim, heads, dim_feedforward=96, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=depth)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def patches(self, x):
        b, c, h, w = x.shape
        p = self.patch
        x = x.reshape(b, c, h // p, p, w // p, p)
        return x.permute(0, 2, 4, 1, 3, 5).reshape(b, (h // p) * (w // p), c * p * p)

    def forward(self, x):
        tokens = self.embed(self.patches(x))
        cls = self.cls.expand(tokens.shape[0], -1, -1)
        tokens = torch.cat([cls, tokens], dim=1) + self.pos
        return self.head(self.norm(self.encoder(tokens)[:, 0]))


vit = ViT()
images = torch.randn(3, 3, 32, 32)
print(vit(images).shape)
