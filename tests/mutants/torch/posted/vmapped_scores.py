"""Per-sample scores with vmap, where the batch sizes of the two arguments differ."""
import torch
from torch.func import vmap

queries = torch.randn(12, 64)
keys = torch.randn(10, 64)  # instead: keys = torch.randn(12, 64)


def score(q, k):
    return torch.dot(q, k) / 8.0


scores = vmap(score)(queries, keys)
print(scores.shape)
