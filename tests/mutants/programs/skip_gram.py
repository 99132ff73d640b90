"""One step of skip-gram with negative sampling."""
import numpy as np

rng = np.random.default_rng(22)
words, width, negatives = 30, 6, 4
inside = rng.normal(size=(words, width)) * 0.1
outside = rng.normal(size=(words, width)) * 0.1
centre, context = 3, 8
sampled = rng.integers(0, words, size=negatives)
targets = np.concatenate(([context], sampled))
labels = np.zeros(negatives + 1)
labels[0] = 1.0
v = inside[centre]
u = outside[targets]
scores = u @ v
p = 1 / (1 + np.exp(-scores))
error = p - labels
grad_v = error @ u
grad_u = np.outer(error, v)
inside[centre] -= 0.1 * grad_v
np.add.at(outside, targets, -0.1 * grad_u)
loss = -np.log(p[0]) - np.log(1 - p[1:]).sum()
print(grad_u.shape, grad_v.shape, loss > 0)
