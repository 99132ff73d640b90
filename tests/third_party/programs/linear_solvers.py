"""Numerical linear algebra: LU with pivoting, QR by Householder, CG, eigenvalues, least squares, timings table."""
import time

import numpy as np
from numpy.linalg import LinAlgError, norm


def lu(A):
    A = np.array(A, dtype=float)
    n, m = A.shape
    if n != m:
        raise LinAlgError("square matrices only")
    perm = np.arange(n)
    for k in range(n - 1):
        p = k + np.abs(A[k:, k]).argmax()
        if A[p, k] == 0:
            raise LinAlgError("singular")
        if p != k:
            A[[k, p]] = A[[p, k]]
            perm[[k, p]] = perm[[p, k]]
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return np.tril(A, -1) + np.eye(n), np.triu(A), perm


def forward(L, b):
    x = np.zeros_like(b, dtype=float)
    for i in range(len(b)):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]
    return x


def backward(U, b):
    x = np.zeros_like(b, dtype=float)
    for i in reversed(range(len(b))):
        x[i] = (b[i] - U[i, i + 1 :] @ x[i + 1 :]) / U[i, i]
    return x


def solve(A, b):
    L, U, perm = lu(A)
    return backward(U, forward(L, b[perm]))


def householder(A):
    R = A.astype(float).copy()
    m, n = R.shape
    Q = np.eye(m)
    for k in range(min(m - 1, n)):
        x = R[k:, k]
        v = x.copy()
        v[0] += np.copysign(norm(x), x[0])
        v /= norm(v)
        R[k:, :] -= 2 * np.outer(v, v @ R[k:, :])
        Q[:, k:] -= 2 * np.outer(Q[:, k:] @ v, v)
    return Q, R


def conjugate_gradient(A, b, tol=1e-10):
    x = np.zeros(len(b))
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    for k in range(10 * len(b)):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        if new**0.5 < tol:
            return x, k + 1
        p = r + new / rs * p
        rs = new
    raise LinAlgError("no convergence")


def power_method(A, rounds=500):
    v = np.ones(A.shape[0]) / A.shape[0] ** 0.5
    for _ in range(rounds):
        v = A @ v
        v /= norm(v)
    return v @ A @ v, v


def qr_eigenvalues(A, rounds=300):
    A = A.copy()
    for _ in range(rounds):
        Q, R = np.linalg.qr(A)
        A = R @ Q
    return np.sort(np.diag(A))[::-1]


def thomas(lower, diag, upper, rhs):
    n = len(diag)
    c, d = np.zeros(n - 1), np.zeros(n)
    c[0], d[0] = upper[0] / diag[0], rhs[0] / diag[0]
    for i in range(1, n):
        denom = diag[i] - lower[i - 1] * c[i - 1]
        if i < n - 1:
            c[i] = upper[i] / denom
        d[i] = (rhs[i] - lower[i - 1] * d[i - 1]) / denom
    for i in range(n - 2, -1, -1):
        d[i] -= c[i] * d[i + 1]
    return d


rng = np.random.default_rng(11)
n = 12
M = rng.normal(size=(n, n))
spd = M @ M.T + n * np.eye(n)
b = rng.normal(size=n)

timings = {}
for name, method in {
    "lu": lambda: solve(spd, b),
    "cg": lambda: conjugate_gradient(spd, b)[0],
    "numpy": lambda: np.linalg.solve(spd, b),
}.items():
    start = time.perf_counter()
    x = method()
    timings[name] = (time.perf_counter() - start, norm(spd @ x - b))
for name, (seconds, residual) in sorted(timings.items()):
    assert residual < 1e-6, name
    print(f"{name:<6} residual {residual:.1e}")

Q, R = householder(rng.normal(size=(8, 5)))
assert Q.shape == (8, 8) and np.allclose(Q.T @ Q, np.eye(8)) and np.allclose(np.tril(R, -1), 0)
value, vector = power_method(spd)
eigs = qr_eigenvalues(spd)
print(round(value - eigs[0], 6), np.allclose(eigs, np.linalg.eigvalsh(spd)[::-1], atol=1e-3))

t = np.linspace(-1, 1, 30)
V = np.vander(t, 4, increasing=True)
y = 1 - 2 * t + 3 * t**3 + 0.01 * rng.normal(size=t.size)
normal = np.linalg.solve(V.T @ V, V.T @ y)
Qv, Rv = np.linalg.qr(V)
by_qr = backward(Rv, Qv.T @ y)
U, s, Vt = np.linalg.svd(V, full_matrices=False)
by_svd = Vt.T @ ((U.T @ y) / s)
assert np.allclose(normal, by_qr) and np.allclose(by_qr, by_svd)
print(by_svd.round(1), f"condition {s[0] / s[-1]:.1f}")

heat = thomas(-np.ones(9), 2 * np.ones(10), -np.ones(9), np.ones(10) / 121)
assert np.isclose(heat.max(), 0.5 * 0.25, atol=2e-3)
try:
    lu(np.zeros((3, 3)))
except LinAlgError as error:
    print("caught", error)
blocks = np.block([[spd, np.zeros((n, 2))], [np.zeros((2, n)), np.eye(2)]])
print(blocks.shape, np.linalg.matrix_rank(np.outer(b, b)), np.linalg.cholesky(spd).shape, np.kron(np.eye(2), M[:2, :2]).shape)
