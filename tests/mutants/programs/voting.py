"""Counting preferential votes with arrays."""
import numpy as np

rng = np.random.default_rng(53)
voters, candidates = 40, 4
ballots = np.array([rng.permutation(candidates) for _ in range(voters)])
first = ballots[:, 0]
plurality = np.bincount(first, minlength=candidates)
points = np.arange(candidates)[::-1]
borda = np.zeros(candidates)
for place in range(candidates):
    borda += np.bincount(ballots[:, place], minlength=candidates) * points[place]
ranks = np.argsort(ballots, axis=1)
prefers = (ranks[:, :, None] < ranks[:, None, :]).sum(axis=0)
wins = (prefers > prefers.T).sum(axis=1)
share = prefers / voters
table = np.vstack([plurality, borda, wins]).T
scaled = table / table.max(axis=0)
order = np.argsort(-scaled.mean(axis=1))
winner = order[0]
print(table.shape, share.shape, 0 <= winner < candidates)
