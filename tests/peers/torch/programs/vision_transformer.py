import torch
from torch import nn


class PatchEmbedding(nn.Module):
    def __init__(self, image_size, patch_size, channels, dim):
        super().__init__()
        self.patches = (image_size // patch_size) ** 2
        self.projection = nn.Conv2d(channels, dim, kernel_size=patch_size, stride=patch_size)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.position = nn.Parameter(torch.zeros(1, self.patches + 1, dim))

    def forward(self, x):
        x = self.projection(x).flatten(2).transpose(1, 2)
        cls = self.cls_token.expand(x.shape[0], -1, -1)
        x = torch.cat([cls, x], dim=1)
        return x + self.position


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.qkv = nn.Linear(dim, dim * 3)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, c = x.shape
        qkv = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        scores = (q @ k.transpose(-2, -1)) * self.scale
        weights = scores.softmax(dim=-1)
        x = (weights @ v).transpose(1, 2).reshape(b, n, c)
        return self.out(x)


class Block(nn.Module):
    def __init__(self, dim, heads, ratio=4):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.attention = Attention(dim, heads)
        self.norm2 = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim * ratio), nn.GELU(), nn.Linear(dim * ratio, dim))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class ViT(nn.Module):
    def __init__(self, image_size=32, patch_size=8, channels=3, dim=24, depth=2, heads=4, classes=10):
        super().__init__()
        self.embed = PatchEmbedding(image_size, patch_size, channels, dim)
        self.blocks = nn.ModuleList([Block(dim, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.embed(x)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


model = ViT()
images = torch.randn(4, 3, 32, 32)
labels = torch.randint(0, 10, (4,))
logits = model(images)
loss = nn.functional.cross_entropy(logits, labels)
loss.backward()
accuracy = (logits.argmax(1) == labels).float().mean()
print(loss.item(), accuracy.item())
