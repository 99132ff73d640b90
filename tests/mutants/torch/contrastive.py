"""The symmetric loss of image and text embeddings."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Clip(nn.Module):
    def __init__(self, embed=16):
        super().__init__()
        self.visual = nn.Sequential(nn.Conv2d(3, 8, 4, stride=4), nn.Flatten(), nn.Linear(8 * 4 * 4, embed))
        self.token = nn.Embedding(40, 24)
        self.text = nn.GRU(24, embed, batch_first=True)
        self.scale = nn.Parameter(torch.tensor(2.6))

    def encode_text(self, tokens):
        _, last = self.text(self.token(tokens))
        return last.squeeze(0)

    def forward(self, images, tokens):
        i = F.normalize(self.visual(images), dim=-1)
        t = F.normalize(self.encode_text(tokens), dim=-1)
        return self.scale.exp() * i @ t.t()


model = Clip()
images, tokens = torch.randn(5, 3, 16, 16), torch.randint(0, 40, (5, 9))
logits = model(images, tokens)
targets = torch.arange(logits.shape[0])
loss = (F.cross_entropy(logits, targets) + F.cross_entropy(logits.T, targets)) / 2
loss.backward()
print(loss.item())
