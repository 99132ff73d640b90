"""Many random walks and their statistics."""
import numpy as np

np.random.seed(1)
walks, steps = 200, 50
moves = np.random.choice([-1, 1], size=(walks, steps))
paths = moves.cumsum(axis=1)
start = np.zeros((walks, 1), dtype=int)
full = np.hstack([start, paths])
mean = full.mean(axis=0)
rms = np.sqrt((full ** 2).mean(axis=0))
theory = np.sqrt(np.arange(steps + 1))
gap = np.abs(rms - theory)
far = np.abs(full).max(axis=1)
hits = far >= 10
first = np.argmax(np.abs(full) >= 10, axis=1)[hits]
edges = np.linspace(-50, 50, 21)
counts, _ = np.histogram(full[:, -1], bins=edges)
print(gap.shape, counts.sum() == walks, mean.shape, len(first) >= 0)
