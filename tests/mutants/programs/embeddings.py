"""Bag-of-words embeddings and nearest words."""
import numpy as np

rng = np.random.default_rng(21)
vocabulary, width = 20, 8
table = rng.normal(size=(vocabulary, width))
sentences = np.array([[1, 4, 7, 2], [3, 3, 0, 9], [11, 5, 19, 6]])
vectors = table[sentences]
means = vectors.mean(axis=1)
norms = np.linalg.norm(table, axis=1, keepdims=True)
unit = table / norms
queries = means / np.linalg.norm(means, axis=1, keepdims=True)
similarity = queries @ unit.T
nearest = np.argsort(-similarity, axis=1)[:, :3]
gradient = np.ones((3, width))
update = np.zeros_like(table)
for row in range(3):
    for word in sentences[row]:
        update[word] += gradient[row] / 4
table -= 0.1 * update
print(similarity.shape, nearest.shape)
