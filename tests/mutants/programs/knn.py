"""Nearest neighbours with a matrix of distances."""
import numpy as np


def distances(A, B):
    return np.sqrt(((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=-1))


rng = np.random.default_rng(9)
train = rng.normal(size=(25, 3))
labels = (train[:, 0] > 0).astype(int)
test = rng.normal(size=(7, 3))
D = distances(test, train)
k = 5
nearest = np.argsort(D, axis=1)[:, :k]
votes = labels[nearest]
predicted = (votes.mean(axis=1) > 0.5).astype(int)
truth = (test[:, 0] > 0).astype(int)
closest = np.take_along_axis(D, nearest, axis=1)
weights = 1 / (closest + 1e-6)
weighted = (weights * votes).sum(axis=1) / weights.sum(axis=1)
print(predicted.shape, weighted.shape, (predicted == truth).sum() >= 0)
