"""Jacobi and Gauss-Seidel iterations for a linear system."""
import numpy as np

n = 8
A = np.diag(np.full(n, 4.0)) + np.diag(np.full(n - 1, -1.0), 1) + np.diag(np.full(n - 1, -1.0), -1)
b = np.arange(1.0, n + 1)
x = np.zeros(n)
D = np.diag(A)
R = A - np.diagflat(D)
for step in range(50):
    x = (b - R @ x) / D
z = np.zeros(n)
for step in range(25):
    for i in range(n):
        others = A[i, :i] @ z[:i] + A[i, i + 1:] @ z[i + 1:]
        z[i] = (b[i] - others) / A[i, i]
exact = np.linalg.solve(A, b)
errors = np.array([np.abs(x - exact).max(), np.abs(z - exact).max()])
iteration = -R / D[:, None]
radius = np.abs(np.linalg.eigvals(iteration)).max()
print(errors.max() < 1e-6, radius < 1)
