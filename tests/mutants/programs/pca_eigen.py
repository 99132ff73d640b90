"""Principal components from the covariance matrix."""
import numpy as np


def pca(X, k):
    mean = np.mean(X, axis=0)
    Z = X - mean
    cov = Z.T @ Z / (X.shape[0] - 1)
    values, vectors = np.linalg.eigh(cov)
    order = np.argsort(values)[::-1]
    values = values[order]
    vectors = vectors[:, order]
    return mean, values[:k], vectors[:, :k]


rng = np.random.default_rng(8)
X = rng.normal(size=(30, 4)) @ np.diag([3.0, 2.0, 0.5, 0.1])
mean, values, vectors = pca(X, 2)
scores = (X - mean) @ vectors
back = scores @ vectors.T + mean
spread = scores.var(axis=0)
loadings = vectors * np.sqrt(values)
print(back.shape, spread.shape, loadings.shape)
