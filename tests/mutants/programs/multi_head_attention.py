"""Attention with several heads over a batch."""
import numpy as np

rng = np.random.default_rng(18)
batch, length, heads, width = 2, 5, 3, 4
model = heads * width
x = rng.normal(size=(batch, length, model))
W = rng.normal(size=(3, model, model)) * 0.1


def split(t):
    return t.reshape(batch, length, heads, width).transpose(0, 2, 1, 3)


q = split(x @ W[0])
k = split(x @ W[1])
v = split(x @ W[2])
scores = np.matmul(q, k.transpose(0, 1, 3, 2)) / np.sqrt(width)
scores -= scores.max(axis=-1, keepdims=True)
weights = np.exp(scores)
weights /= weights.sum(axis=-1, keepdims=True)
context = np.einsum("bhqk,bhkd->bhqd", weights, v)
merged = context.transpose(0, 2, 1, 3).reshape(batch, length, model)
Wo = rng.normal(size=(model, model))
out = merged @ Wo + x
print(out.shape, context.shape)
