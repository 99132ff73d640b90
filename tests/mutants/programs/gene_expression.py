"""Gene expression: normalising counts, differential expression, clustering of samples."""
import numpy as np

rng = np.random.default_rng(17)
genes, samples = 60, 10
groups = np.array([0] * 5 + [1] * 5)
base = rng.gamma(2.0, 50.0, size=(genes, 1))
effect = np.ones((genes, samples))
effect[:6, groups == 1] *= 4
counts = rng.poisson(base * effect)
library = counts.sum(axis=0)
cpm = counts / library * 1e6
logged = np.log2(cpm + 1)
a, b = logged[:, groups == 0], logged[:, groups == 1]
difference = b.mean(axis=1) - a.mean(axis=1)
pooled = np.sqrt((a.var(axis=1, ddof=1) + b.var(axis=1, ddof=1)) / 5)
t = difference / (pooled + 1e-9)
order = np.argsort(-np.abs(t))
top = order[:10]
z = (logged[top] - logged[top].mean(axis=1, keepdims=True)) / logged[top].std(axis=1, keepdims=True)
centred = logged - logged.mean(axis=1, keepdims=True)
U, S, Vt = np.linalg.svd(centred, full_matrices=False)
scores = Vt[:2].T * S[:2]
gap = scores[:, None, :] - scores[None, :, :]
distances = np.sqrt((gap**2).sum(axis=-1))
np.fill_diagonal(distances, np.inf)
neighbour = distances.argmin(axis=1)
agreement = (groups[neighbour] == groups).mean()
corr = np.corrcoef(logged.T)
within = np.concatenate([corr[:5, :5].ravel(), corr[5:, 5:].ravel()])
print(z.shape, scores.shape, agreement, within.mean() > corr[:5, 5:].mean())
