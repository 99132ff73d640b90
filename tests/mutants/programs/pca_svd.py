"""Principal components through the singular value decomposition."""
import numpy as np

rng = np.random.default_rng(7)
n, d, k = 40, 6, 2
latent = rng.normal(size=(n, k))
mixing = rng.normal(size=(k, d))
X = latent @ mixing + 0.05 * rng.normal(size=(n, d))
mean = X.mean(axis=0)
centred = X - mean
U, s, Vt = np.linalg.svd(centred, full_matrices=False)
explained = s ** 2 / (n - 1)
ratio = explained / explained.sum()
components = Vt[:k]
scores = centred @ components.T
rebuilt = scores @ components + mean
error = np.abs(X - rebuilt).max()
whitened = scores / np.sqrt(explained[:k])
print(scores.shape, rebuilt.shape, whitened.shape, ratio.shape, error < 10)
