"""Linear regression by gradient descent."""

import numpy as np


def make_data(samples, features, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(samples, features))
    weights = rng.normal(size=(features, 1))
    noise = 0.1 * rng.normal(size=(samples, 1))
    return x, x @ weights + noise


def normalise(x):
    mean = x.mean(axis=0, keepdims=True)
    deviation = x.std(axis=0, keepdims=True)
    return (x - mean) / deviation


def gradient(x, y, weights):
    error = x @ weights - y
    return 2 * x.T @ error / len(x), float((error**2).mean())


def train(x, y, rate=0.1, epochs=100):
    weights = np.zeros((x.shape[1], y.shape[1]))
    history = []
    for _ in range(epochs):
        step, loss = gradient(x, y, weights)
        weights -= rate * step
        history.append(loss)
    return weights, np.array(history)


x, y = make_data(200, 3)
x = normalise(x)
weights, history = train(x, y)
order = np.argsort(history)
best = history[order[0]]
print(weights.ravel(), best, history.shape)
