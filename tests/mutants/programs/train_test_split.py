"""Splitting, batching and cross-validation."""
import numpy as np

rng = np.random.default_rng(51)
X = rng.normal(size=(50, 4))
y = X @ np.array([1.0, -1.0, 2.0, 0.0]) + 0.1 * rng.normal(size=50)
order = rng.permutation(50)
train, test = order[:40], order[40:]
X_train, X_test = X[train], X[test]
y_train, y_test = y[train], y[test]
w = np.zeros(4)
for epoch in range(10):
    shuffled = rng.permutation(40)
    for start in range(0, 40, 8):
        batch = shuffled[start:start + 8]
        error = X_train[batch] @ w - y_train[batch]
        w -= 0.05 * X_train[batch].T @ error / len(batch)
folds = np.split(np.arange(50), 5)
scores = []
for fold in folds:
    mask = np.ones(50, dtype=bool)
    mask[fold] = False
    beta, *_ = np.linalg.lstsq(X[mask], y[mask], rcond=None)
    scores.append(np.mean((X[fold] @ beta - y[fold]) ** 2))
scores = np.array(scores)
test_error = np.mean((X_test @ w - y_test) ** 2)
print(scores.shape, test_error >= 0)
