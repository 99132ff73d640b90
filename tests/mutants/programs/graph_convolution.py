"""A graph convolution on a ring of nodes."""
import numpy as np

nodes, features, hidden, classes = 7, 5, 4, 2
A = np.zeros((nodes, nodes))
for i in range(nodes):
    A[i, (i + 1) % nodes] = 1
    A[(i + 1) % nodes, i] = 1
A_hat = A + np.eye(nodes)
degree = A_hat.sum(axis=1)
D = np.diag(1 / np.sqrt(degree))
norm = D @ A_hat @ D
rng = np.random.default_rng(46)
H = rng.normal(size=(nodes, features))
W1 = rng.normal(size=(features, hidden))
W2 = rng.normal(size=(hidden, classes))
first = np.maximum(norm @ H @ W1, 0)
logits = norm @ first @ W2
e = np.exp(logits - logits.max(axis=1, keepdims=True))
p = e / e.sum(axis=1, keepdims=True)
labels = np.array([0, 1, 0, 1, 0, 1, 0])
loss = -np.log(p[np.arange(nodes), labels]).mean()
pooled = first.max(axis=0)
two_steps = np.linalg.matrix_power(A, 2)
laplacian = np.diag(A.sum(axis=0)) - A
energy = np.trace(H.T @ laplacian @ H)
print(pooled.shape, two_steps.shape, loss > 0, energy >= 0)
