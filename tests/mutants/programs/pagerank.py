"""Ranking of pages by the power method."""
import numpy as np

links = {0: [1, 2], 1: [2], 2: [0], 3: [0, 2], 4: [3]}
n = 5
A = np.zeros((n, n))
for page, targets in links.items():
    for target in targets:
        A[target, page] = 1
outgoing = A.sum(axis=0)
M = A / outgoing
damping = 0.85
rank = np.full(n, 1 / n)
teleport = np.full(n, (1 - damping) / n)
for step in range(50):
    new = damping * (M @ rank) + teleport
    change = np.abs(new - rank).sum()
    rank = new
order = np.argsort(rank)[::-1]
top = order[:3]
table = np.column_stack((top, rank[top]))
print(table.shape, change < 1e-3)
