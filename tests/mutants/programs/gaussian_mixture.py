"""Expectation and maximisation for a mixture of Gaussians."""
import numpy as np

rng = np.random.default_rng(34)
X = np.concatenate([rng.normal(-2, 0.5, 40), rng.normal(2, 1.0, 60)])
k = 2
means = np.array([-1.0, 1.0])
variances = np.ones(k)
weights = np.full(k, 0.5)
for step in range(20):
    density = np.exp(-0.5 * (X[:, None] - means) ** 2 / variances) / np.sqrt(2 * np.pi * variances)
    joint = density * weights
    responsibility = joint / joint.sum(axis=1, keepdims=True)
    total = responsibility.sum(axis=0)
    weights = total / len(X)
    means = (responsibility * X[:, None]).sum(axis=0) / total
    variances = (responsibility * (X[:, None] - means) ** 2).sum(axis=0) / total
likelihood = np.log(joint.sum(axis=1)).sum()
hard = responsibility.argmax(axis=1)
sizes = np.array([np.sum(hard == j) for j in range(k)])
print(means.shape, sizes.sum() == 100, likelihood < 0)
