"""Embeddings learned from triplets."""
import torch
from torch import nn


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv1d(1, 4, 5, stride=2), nn.ReLU(), nn.Conv1d(4, 8, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(4))
        self.head = nn.Linear(8 * 4, 12)

    def forward(self, x):
        x = self.features(x)
        x = torch.flatten(x, start_dim=1)
        return nn.functional.normalize(self.head(x), dim=1)


embedder = Embedder()
anchor, positive, negative = torch.randn(3, 6, 1, 40)
criterion = nn.TripletMarginLoss(margin=0.5)
loss = criterion(embedder(anchor), embedder(positive), embedder(negative))
loss.backward()
gallery = embedder(torch.randn(20, 1, 40))
similarity = embedder(anchor) @ gallery.T
best = similarity.topk(3, dim=1).indices
print(loss.item(), best.shape)
