"""Term weights and cosine similarity of documents."""
import numpy as np

documents = ["a b a c", "b c d", "a d d e", "e e b"]
vocabulary = sorted(set(" ".join(documents).split()))
counts = np.zeros((4, 5))
for row, document in enumerate(documents):
    for word in document.split():
        counts[row, vocabulary.index(word)] += 1
frequency = counts / counts.sum(axis=1, keepdims=True)
present = (counts > 0).sum(axis=0)
idf = np.log(len(documents) / present) + 1
weights = frequency * idf
norms = np.sqrt((weights ** 2).sum(axis=1))
unit = weights / norms[:, np.newaxis]
similarity = unit @ unit.T
np.fill_diagonal(similarity, 0)
partner = similarity.argmax(axis=0)
query = np.array([1.0, 0.0, 0.0, 1.0, 0.0]) * idf
score = unit @ query / np.linalg.norm(query)
print(similarity.shape, partner.shape, score.shape)
