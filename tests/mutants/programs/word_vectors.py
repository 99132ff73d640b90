"""Co-occurrence counts, PPMI, truncated SVD, analogies and nearest words."""
import numpy as np

text = "the king rules the land the queen rules the sea the man walks the land the woman walks the sea".split()
vocabulary = sorted(set(text))
index = {word: i for i, word in enumerate(vocabulary)}
ids = np.array([index[word] for word in text])
size, reach, rank = len(vocabulary), 2, 4
counts = np.zeros((size, size))
for shift in range(1, reach + 1):
    np.add.at(counts, (ids[:-shift], ids[shift:]), 1.0)
    np.add.at(counts, (ids[shift:], ids[:-shift]), 1.0)
total = counts.sum()
row = counts.sum(axis=1, keepdims=True)
column = counts.sum(axis=0, keepdims=True)
expected = row @ column / total
ppmi = np.maximum(np.log((counts + 1e-9) / expected), 0)
U, S, Vt = np.linalg.svd(ppmi)
vectors = U[:, :rank] * np.sqrt(S[:rank])
unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
similarity = unit @ unit.T
np.fill_diagonal(similarity, -1)
nearest = similarity.argmax(axis=1)
query = unit[index["king"]] - unit[index["man"]] + unit[index["woman"]]
ranking = np.argsort(-(unit @ query))
best = [vocabulary[i] for i in ranking[:3]]
queries = np.stack([unit[index[w]] for w in ("king", "sea", "land")])
scores = queries @ unit.T
top = np.argpartition(-scores, 2, axis=1)[:, :2]
pairs = np.take_along_axis(scores, top, axis=1)
error = np.linalg.norm(ppmi - (U[:, :rank] * S[:rank]) @ Vt[:rank])
print(vectors.shape, best, pairs.shape, nearest.shape, error >= 0)
