"""Orthonormal bases, projections and reflections."""
import numpy as np


def gram_schmidt(A):
    rows, columns = A.shape
    Q = np.zeros((rows, columns))
    R = np.zeros((columns, columns))
    for j in range(columns):
        v = A[:, j].copy()
        for i in range(j):
            R[i, j] = Q[:, i] @ A[:, j]
            v -= R[i, j] * Q[:, i]
        R[j, j] = np.linalg.norm(v)
        Q[:, j] = v / R[j, j]
    return Q, R


rng = np.random.default_rng(37)
A = rng.normal(size=(6, 3))
Q, R = gram_schmidt(A)
P = Q @ Q.T
b = rng.normal(size=6)
inside = P @ b
outside = b - inside
coefficients = np.linalg.solve(R, Q.T @ b)
fit = A @ coefficients
H = np.eye(6) - 2 * np.outer(outside, outside) / (outside @ outside)
flipped = H @ b
print(np.allclose(Q.T @ Q, np.eye(3)), np.allclose(fit, inside), flipped.shape)
