"""Lagrange interpolation and barycentric weights."""
import numpy as np

nodes = np.cos(np.pi * (2 * np.arange(6) + 1) / 12)
values = np.exp(nodes)
points = np.linspace(-0.9, 0.9, 15)
difference = nodes[:, None] - nodes[None, :]
np.fill_diagonal(difference, 1.0)
weights = 1 / difference.prod(axis=1)
terms = weights / (points[:, None] - nodes[None, :])
interpolated = (terms @ values) / terms.sum(axis=1)
error = np.abs(interpolated - np.exp(points)).max()
linear = np.interp(points, nodes[::-1], values[::-1])
worse = np.abs(linear - np.exp(points))
basis = np.ones((6, 15))
for j in range(6):
    for m in range(6):
        if m != j:
            basis[j] *= (points - nodes[m]) / (nodes[j] - nodes[m])
again = values @ basis
print(error < 1e-2, np.allclose(again, interpolated), worse.shape)
