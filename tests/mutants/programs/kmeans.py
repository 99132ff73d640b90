"""Lloyd's algorithm with a fixed number of steps."""
import numpy as np

rng = np.random.default_rng(6)
k, n, d = 3, 60, 2
points = rng.normal(size=(n, d)) + rng.integers(0, 3, size=(n, 1)) * 4
centres = points[rng.choice(n, size=k, replace=False)]
for step in range(10):
    differences = points[:, np.newaxis, :] - centres[np.newaxis, :, :]
    distances = np.sqrt((differences ** 2).sum(axis=2))
    assignment = distances.argmin(axis=1)
    new = np.zeros((k, d))
    for j in range(k):
        members = points[assignment == j]
        if len(members) > 0:
            new[j] = members.mean(axis=0)
        else:
            new[j] = centres[j]
    centres = new
inertia = (distances.min(axis=1) ** 2).sum()
counts = np.bincount(assignment, minlength=k)
print(centres.shape, counts.shape, inertia > 0)
