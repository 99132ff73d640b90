"""Multinomial regression on three clusters."""
import numpy as np


def softmax(scores):
    shifted = scores - scores.max(axis=1, keepdims=True)
    e = np.exp(shifted)
    return e / e.sum(axis=1, keepdims=True)


rng = np.random.default_rng(3)
classes, features, each = 3, 4, 20
centres = rng.normal(size=(classes, features)) * 3
X = np.concatenate([centres[k] + rng.normal(size=(each, features)) for k in range(classes)])
labels = np.repeat(np.arange(classes), each)
onehot = np.zeros((classes * each, classes))
onehot[np.arange(classes * each), labels] = 1.0
W = np.zeros((features, classes))
b = np.zeros(classes)
for step in range(60):
    probability = softmax(X @ W + b)
    delta = (probability - onehot) / len(X)
    W -= 0.5 * (X.T @ delta)
    b -= 0.5 * delta.sum(axis=0)
predicted = np.argmax(X @ W + b, axis=1)
cross_entropy = -np.log(probability[np.arange(len(labels)), labels]).mean()
print((predicted == labels).mean() > 0.5, cross_entropy < 2)
