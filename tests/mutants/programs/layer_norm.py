"""Layer normalisation, forward and backward."""
import numpy as np

rng = np.random.default_rng(19)
n, d = 8, 6
x = rng.normal(size=(n, d))
gamma = np.ones(d)
beta = np.zeros(d)
mu = x.mean(axis=1, keepdims=True)
var = x.var(axis=1, keepdims=True)
inv = 1 / np.sqrt(var + 1e-5)
xhat = (x - mu) * inv
y = gamma * xhat + beta
dy = rng.normal(size=(n, d))
dgamma = (dy * xhat).sum(axis=0)
dbeta = dy.sum(axis=0)
dxhat = dy * gamma
dx = inv / d * (d * dxhat - dxhat.sum(axis=1, keepdims=True) - xhat * (dxhat * xhat).sum(axis=1, keepdims=True))
gamma -= 0.1 * dgamma
beta -= 0.1 * dbeta
print(dx.shape, y.shape)
