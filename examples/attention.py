"""Attention over a batch: the keys are not transposed."""

import numpy as np


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


batch, length, width = 8, 10, 64
rng = np.random.default_rng(0)
q = rng.normal(size=(batch, length, width))
k = rng.normal(size=(batch, length, width))
v = rng.normal(size=(batch, length, width))

scores = q @ k / np.sqrt(width)
out = softmax(scores) @ v
heads = out.reshape(batch, length, 5, -1)
print(heads.shape)
