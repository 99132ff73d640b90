"""Linear regression by gradient descent, with the bias in the wrong shape."""

import numpy as np


def features(x):
    """A column of ones in front of the inputs."""
    return np.column_stack([np.ones(len(x)), x])


def gradient(X, y, w):
    error = X @ w - y
    return X.T @ error / len(y)


x = np.linspace(0, 1, 50)
y = 3 * x + 1

X = features(x)
w = np.zeros(3)  # X has two columns: the product in `gradient` cannot work

for step in range(100):
    w = w - 0.1 * gradient(X, y, w)

print(w)
