"""Gaussian naive Bayes with log densities."""
import numpy as np

rng = np.random.default_rng(10)
X = np.vstack([rng.normal(0, 1, (20, 3)), rng.normal(2, 1, (15, 3))])
y = np.array([0] * 20 + [1] * 15)
classes = 2
means = np.zeros((classes, 3))
variances = np.zeros((classes, 3))
priors = np.zeros(classes)
for c in range(classes):
    rows = X[y == c]
    means[c] = rows.mean(axis=0)
    variances[c] = rows.var(axis=0) + 1e-6
    priors[c] = len(rows) / len(X)
diff = X[:, None, :] - means[None, :, :]
log_density = -0.5 * (np.log(2 * np.pi * variances) + diff ** 2 / variances).sum(axis=2)
joint = log_density + np.log(priors)
top = joint.max(axis=1, keepdims=True)
evidence = top + np.log(np.exp(joint - top).sum(axis=1, keepdims=True))
posterior = np.exp(joint - evidence)
predicted = posterior.argmax(axis=1)
print((predicted == y).mean() > 0.5, posterior.shape)
