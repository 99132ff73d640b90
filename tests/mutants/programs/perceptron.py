"""The perceptron rule, sample by sample."""
import numpy as np

rng = np.random.default_rng(11)
X = rng.normal(size=(40, 2))
y = np.where(X[:, 0] + X[:, 1] > 0, 1, -1)
w = np.zeros(3)
mistakes = np.zeros(10)
for epoch in range(10):
    for i in range(40):
        row = np.append(X[i], 1.0)
        if y[i] * np.dot(w, row) <= 0:
            w = w + y[i] * row
            mistakes[epoch] += 1
augmented = np.hstack((X, np.ones((40, 1))))
margin = y * (augmented @ w)
print(w.shape, (margin > 0).mean() > 0.5, mistakes.sum() >= 0)
