"""Convolution of a batch through im2col."""
import numpy as np


def im2col(x, k):
    n, c, h, w = x.shape
    oh, ow = h - k + 1, w - k + 1
    cols = np.zeros((n, c, k, k, oh, ow))
    for i in range(k):
        for j in range(k):
            cols[:, :, i, j, :, :] = x[:, :, i:i + oh, j:j + ow]
    return cols.transpose(0, 4, 5, 1, 2, 3).reshape(n * oh * ow, c * k * k)


rng = np.random.default_rng(14)
x = rng.normal(size=(2, 3, 8, 8))
weights = rng.normal(size=(5, 3, 3, 3))
bias = np.zeros(5)
columns = im2col(x, 3)
flat = weights.reshape(5, -1)
out = columns @ flat.T + bias
out = out.reshape(2, 6, 6, 5).transpose(0, 3, 1, 2)
relu = np.maximum(out, 0)
features = relu.reshape(2, -1)
head = rng.normal(size=(180, 4))
print((features @ head).shape)
