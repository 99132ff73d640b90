"""LU decomposition with partial pivoting."""
import numpy as np


def lu(A):
    n = A.shape[0]
    U = A.copy()
    L = np.eye(n)
    P = np.eye(n)
    for k in range(n - 1):
        pivot = k + np.argmax(np.abs(U[k:, k]))
        U[[k, pivot]] = U[[pivot, k]]
        P[[k, pivot]] = P[[pivot, k]]
        L[[k, pivot], :k] = L[[pivot, k], :k]
        factors = U[k + 1:, k] / U[k, k]
        L[k + 1:, k] = factors
        U[k + 1:] -= np.outer(factors, U[k])
    return P, L, U


rng = np.random.default_rng(38)
A = rng.normal(size=(5, 5))
P, L, U = lu(A)
b = rng.normal(size=5)
y = np.zeros(5)
for i in range(5):
    y[i] = (P @ b)[i] - L[i, :i] @ y[:i]
x = np.zeros(5)
for i in range(4, -1, -1):
    x[i] = (y[i] - U[i, i + 1:] @ x[i + 1:]) / U[i, i]
print(np.allclose(P @ A, L @ U), np.allclose(A @ x, b))
