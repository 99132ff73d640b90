"""The heat equation on a rod, explicit and implicit."""
import numpy as np

n = 20
dx = 1.0 / (n - 1)
dt = 0.4 * dx ** 2
u = np.sin(np.pi * np.linspace(0, 1, n))
explicit = u.copy()
for step in range(30):
    lap = explicit[2:] - 2 * explicit[1:-1] + explicit[:-2]
    explicit[1:-1] += dt / dx ** 2 * lap
main = (1 + 2 * dt / dx ** 2) * np.ones(n)
off = -dt / dx ** 2 * np.ones(n - 1)
A = np.diag(main) + np.diag(off, 1) + np.diag(off, -1)
A[0, :] = 0
A[0, 0] = 1
A[-1, :] = 0
A[-1, -1] = 1
implicit = u.copy()
for step in range(30):
    implicit = np.linalg.solve(A, implicit)
gap = np.abs(explicit - implicit).max()
print(A.shape, gap < 1)
