"""Classical multidimensional scaling, then stress reduced by hand."""
import numpy as np

generator = np.random.RandomState(8)
points = generator.randn(15, 5)
labels = generator.randint(0, 3, 15)


def squared_distances(x):
    norms = np.sum(x ** 2, axis=1)
    return norms[:, np.newaxis] + norms[np.newaxis, :] - 2 * np.dot(x, x.T)


D = squared_distances(points)
n = D.shape[0]
J = np.eye(n) - np.ones((n, n)) / n
B = -0.5 * J.dot(D).dot(J)
values, vectors = np.linalg.eigh(B)
order = np.argsort(values)[::-1][:2]
embedding = vectors[:, order] * np.sqrt(values[order])
target = np.sqrt(np.maximum(D, 0))
for iteration in range(20):
    difference = embedding[:, None] - embedding[None]
    distance = np.sqrt((difference ** 2).sum(-1)) + np.eye(n)
    factor = (distance - target) / distance
    np.fill_diagonal(factor, 0)
    gradient = (factor[..., None] * difference).sum(axis=1)
    embedding = embedding - 0.01 * gradient
centroids = np.array([embedding[labels == k].mean(axis=0) for k in range(3)])
spread = {k: np.linalg.norm(embedding[labels == k] - centroids[k], axis=1) for k in range(3)}
nearest = np.argmin(np.linalg.norm(embedding[:, None, :] - centroids, axis=2), axis=1)
table = np.zeros((3, 3), dtype=int)
np.add.at(table, (labels, nearest), 1)
print(table.sum(), sum(len(v) for v in spread.values()))
