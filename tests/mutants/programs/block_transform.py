"""Block transform of an image, quantised and put together again."""
import numpy as np


def dct_matrix(n):
    k = np.arange(n)[:, None]
    i = np.arange(n)[None, :]
    matrix = np.sqrt(2 / n) * np.cos(np.pi * (2 * i + 1) * k / (2 * n))
    matrix[0] /= np.sqrt(2)
    return matrix


def blocks(image, size):
    h, w = image.shape
    return image.reshape(h // size, size, w // size, size).swapaxes(1, 2)


def unblocks(parts):
    rows, columns, size, _ = parts.shape
    return parts.swapaxes(1, 2).reshape(rows * size, columns * size)


image = np.add.outer(np.arange(16), np.arange(24)) % 7 * 1.0
D = dct_matrix(8)
parts = blocks(image, 8)
coded = D @ parts @ D.T
levels = 1 + np.add.outer(np.arange(8), np.arange(8))
quantised = np.round(coded / levels)
restored = unblocks(D.T @ (quantised * levels) @ D)
error = np.abs(restored - image)
energy = (coded ** 2).mean(axis=(0, 1))
order = np.argsort(energy.ravel())[::-1]
zigzag = np.stack(np.unravel_index(order, energy.shape), axis=1)
kept = quantised.reshape(-1, 64)[:, order[:10]]
histogram, edges = np.histogram(kept, bins=12)
centres = (edges[:-1] + edges[1:]) / 2
mean = (histogram * centres).sum() / histogram.sum()
print(zigzag.shape, kept.shape, error.shape, centres.shape)
