"""Scaled dot-product attention with a causal mask."""
import numpy as np


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


rng = np.random.default_rng(17)
length, d_model, d_head = 6, 8, 4
x = rng.normal(size=(length, d_model))
Wq = rng.normal(size=(d_model, d_head))
Wk = rng.normal(size=(d_model, d_head))
Wv = rng.normal(size=(d_model, d_head))
Wo = rng.normal(size=(d_head, d_model))
q, k, v = x @ Wq, x @ Wk, x @ Wv
scores = q @ k.T / np.sqrt(d_head)
mask = np.triu(np.ones((length, length), dtype=bool), k=1)
scores[mask] = -1e9
weights = softmax(scores)
context = weights @ v
out = context @ Wo + x
normed = (out - out.mean(axis=-1, keepdims=True)) / out.std(axis=-1, keepdims=True)
print(normed.shape, np.allclose(weights.sum(axis=1), 1))
