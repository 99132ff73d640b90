"""Binary classification by logistic regression."""
import numpy as np


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def loss(w, b, X, y):
    p = sigmoid(X @ w + b)
    return -np.mean(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9))


rng = np.random.default_rng(2)
a = rng.normal(loc=-1.0, size=(30, 2))
b = rng.normal(loc=1.0, size=(30, 2))
X = np.vstack((a, b))
y = np.concatenate((np.zeros(30), np.ones(30)))
w = np.zeros(2)
bias = 0.0
for step in range(100):
    p = sigmoid(X @ w + bias)
    error = p - y
    grad_w = X.T @ error / len(y)
    grad_b = error.mean()
    w -= 0.5 * grad_w
    bias -= 0.5 * grad_b
predicted = (sigmoid(X @ w + bias) > 0.5).astype(int)
accuracy = (predicted == y).mean()
confusion = np.zeros((2, 2), dtype=int)
for t, q in zip(y.astype(int), predicted):
    confusion[t, q] += 1
print(accuracy > 0.5, confusion.shape, loss(w, bias, X, y) < 1)
