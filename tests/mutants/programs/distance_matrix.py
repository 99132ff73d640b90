"""Pairwise distances in three ways."""
import numpy as np

rng = np.random.default_rng(31)
A = rng.normal(size=(9, 3))
B = rng.normal(size=(5, 3))
direct = np.sqrt(((A[:, None] - B[None]) ** 2).sum(-1))
squared = (A ** 2).sum(axis=1)[:, None] + (B ** 2).sum(axis=1)[None, :] - 2 * A @ B.T
expanded = np.sqrt(np.maximum(squared, 0))
loops = np.empty((9, 5))
for i in range(9):
    for j in range(5):
        loops[i, j] = np.linalg.norm(A[i] - B[j])
nearest = direct.argmin(axis=1)
matched = B[nearest]
offset = A - matched
ranking = np.argsort(direct, axis=0)
best = A[ranking[0]]
gap = B - best
print(np.allclose(direct, expanded), np.allclose(direct, loops), offset.shape, gap.shape)
