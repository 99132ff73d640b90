"""Ridge regression with standardised features and a grid of penalties."""
import numpy as np


def standardise(X):
    mean = X.mean(axis=0)
    std = X.std(axis=0)
    return (X - mean) / std, mean, std


def ridge(X, y, penalty):
    d = X.shape[1]
    return np.linalg.solve(X.T @ X + penalty * np.eye(d), X.T @ y)


rng = np.random.default_rng(1)
X = rng.uniform(-1, 1, size=(40, 5))
w = np.array([1.0, 0.0, -1.0, 2.0, 0.5])
y = X.dot(w) + rng.normal(scale=0.1, size=40)
Z, mean, std = standardise(X)
penalties = [0.01, 0.1, 1.0]
scores = np.zeros(len(penalties))
paths = np.zeros((len(penalties), 5))
for i, penalty in enumerate(penalties):
    beta = ridge(Z, y - y.mean(), penalty)
    paths[i] = beta
    scores[i] = np.mean((Z @ beta + y.mean() - y) ** 2)
best = np.argmin(scores)
new = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
print(paths.shape, (new - mean) / std @ paths[best] + y.mean() > -100)
