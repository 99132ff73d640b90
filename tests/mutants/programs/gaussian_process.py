"""Posterior of a Gaussian process."""
import numpy as np


def rbf(a, b, length=1.0):
    return np.exp(-0.5 * (a.reshape(-1, 1) - b.reshape(1, -1)) ** 2 / length ** 2)


rng = np.random.default_rng(33)
train = np.array([-3.0, -1.0, 0.5, 2.0])
values = np.sin(train)
test = np.linspace(-4, 4, 30)
K = rbf(train, train) + 1e-6 * np.eye(4)
Ks = rbf(train, test)
Kss = rbf(test, test)
L = np.linalg.cholesky(K)
alpha = np.linalg.solve(L.T, np.linalg.solve(L, values))
mean = Ks.T @ alpha
v = np.linalg.solve(L, Ks)
cov = Kss - v.T @ v
std = np.sqrt(np.maximum(np.diag(cov), 0))
upper, lower = mean + 2 * std, mean - 2 * std
jitter = 1e-6 * np.eye(len(test))
samples = mean[:, None] + np.linalg.cholesky(cov + jitter) @ rng.normal(size=(30, 3))
print(samples.shape, (upper - lower).shape)
