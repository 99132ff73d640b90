"""Poisson's equation with a sparse pattern built densely by Kronecker products."""
import numpy as np

n = 6
h = 1 / (n + 1)
T = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
I = np.eye(n)
A = (np.kron(T, I) + np.kron(I, T)) / h ** 2
x = np.linspace(h, 1 - h, n)
X, Y = np.meshgrid(x, x)
f = np.sin(np.pi * X) * np.sin(np.pi * Y)
u = np.linalg.solve(A, f.ravel()).reshape(n, n)
exact = f / (2 * np.pi ** 2)
error = np.abs(u - exact).max()
full = np.zeros((n + 2, n + 2))
full[1:-1, 1:-1] = u
gx = (full[1:-1, 2:] - full[1:-1, :-2]) / (2 * h)
gy = (full[2:, 1:-1] - full[:-2, 1:-1]) / (2 * h)
speed = np.sqrt(gx ** 2 + gy ** 2)
weighted = (speed * u).sum() * h ** 2
print(error < 0.1, weighted > 0)
