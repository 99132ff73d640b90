"""Leading eigenvectors by iteration and deflation."""
import numpy as np


def leading(A, steps=100):
    v = np.ones(A.shape[0])
    for _ in range(steps):
        v = A @ v
        v = v / np.linalg.norm(v)
    return v @ A @ v, v


rng = np.random.default_rng(36)
B = rng.normal(size=(6, 6))
A = B @ B.T
values, vectors = [], []
rest = A.copy()
for i in range(3):
    value, vector = leading(rest)
    values.append(value)
    vectors.append(vector)
    rest = rest - value * np.outer(vector, vector)
V = np.column_stack(vectors)
exact = np.linalg.eigvalsh(A)[::-1][:3]
rayleigh = np.diag(V.T @ A @ V)
residual = A @ V - V * rayleigh
print(V.shape, np.abs(np.array(values) - exact).max() < 10, residual.shape)
