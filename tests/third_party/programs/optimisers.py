"""Numerics: root finding, quadrature, gradient methods, simplex, simulated annealing, automatic differentiation."""
import math
from typing import Callable, Sequence

import numpy as np


class Dual:
    """Forward-mode automatic differentiation."""

    __slots__ = ("val", "eps")

    def __init__(self, val, eps=0.0):
        self.val, self.eps = val, eps

    @staticmethod
    def lift(x):
        return x if isinstance(x, Dual) else Dual(x)

    def __add__(self, o):
        o = Dual.lift(o)
        return Dual(self.val + o.val, self.eps + o.eps)

    __radd__ = __add__

    def __sub__(self, o):
        return self + (-1) * Dual.lift(o)

    def __rsub__(self, o):
        return Dual.lift(o) - self

    def __mul__(self, o):
        o = Dual.lift(o)
        return Dual(self.val * o.val, self.val * o.eps + self.eps * o.val)

    __rmul__ = __mul__

    def __truediv__(self, o):
        o = Dual.lift(o)
        return Dual(self.val / o.val, (self.eps * o.val - self.val * o.eps) / o.val**2)

    def __pow__(self, n: int):
        return Dual(self.val**n, n * self.val ** (n - 1) * self.eps)

    def __neg__(self):
        return Dual(-self.val, -self.eps)

    def __repr__(self):
        return f"{self.val:g}{self.eps:+g}ε"


def sin(x):
    return Dual(math.sin(x.val), math.cos(x.val) * x.eps) if isinstance(x, Dual) else math.sin(x)


def derivative(f, x):
    return f(Dual(x, 1.0)).eps


def gradient(f: Callable, x: Sequence[float]):
    return np.array([f([Dual(v, float(i == k)) for i, v in enumerate(x)]).eps for k in range(len(x))])


def newton(f, x, tol=1e-12, limit=50):
    for _ in range(limit):
        d = f(Dual(x, 1.0))
        if abs(d.val) < tol:
            return x
        x -= d.val / d.eps
    raise ArithmeticError("no convergence")


def bisect(f, a, b, tol=1e-10):
    fa, fb = f(a), f(b)
    if fa * fb > 0:
        raise ValueError("no sign change")
    while b - a > tol:
        m = (a + b) / 2
        if (fm := f(m)) == 0:
            return m
        if fa * fm < 0:
            b = m
        else:
            a, fa = m, fm
    return (a + b) / 2


def simpson(f, a, b, n=100):
    if n % 2:
        n += 1
    x = np.linspace(a, b, n + 1)
    y = f(x)
    return (b - a) / (3 * n) * (y[0] + 4 * y[1:-1:2].sum() + 2 * y[2:-1:2].sum() + y[-1])


def gauss(f, a, b, n=5):
    t, w = np.polynomial.legendre.leggauss(n)
    return (b - a) / 2 * np.dot(w, f((b - a) / 2 * t + (a + b) / 2))


def rosenbrock(p):
    x, y = p
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


def descend(f, x, steps=5000, lr=1e-3, momentum=0.9):
    x = np.array(x, dtype=float)
    v = np.zeros_like(x)
    for _ in range(steps):
        v = momentum * v - lr * gradient(f, x)
        x = x + v
    return x


def bfgs(f, x, rounds=60):
    x = np.asarray(x, dtype=float)
    n = x.size
    H = np.eye(n)
    g = gradient(f, x)
    for _ in range(rounds):
        if np.linalg.norm(g) < 1e-8:
            break
        p = -H @ g
        t = 1.0
        while f(x + t * p) > f(x) + 1e-4 * t * (g @ p):
            t /= 2
        s = t * p
        new = gradient(f, x + s)
        y = new - g
        rho = 1 / (y @ s)
        I = np.eye(n)
        H = (I - rho * np.outer(s, y)) @ H @ (I - rho * np.outer(y, s)) + rho * np.outer(s, s)
        x, g = x + s, new
    return x


def nelder_mead(f, start, size=0.5, rounds=300):
    n = len(start)
    simplex = [np.array(start, dtype=float)]
    for i in range(n):
        p = simplex[0].copy()
        p[i] += size
        simplex.append(p)
    for _ in range(rounds):
        simplex.sort(key=f)
        centre = np.mean(simplex[:-1], axis=0)
        worst = simplex[-1]
        reflected = centre + (centre - worst)
        if f(reflected) < f(simplex[0]):
            expanded = centre + 2 * (centre - worst)
            simplex[-1] = min(expanded, reflected, key=f)
        elif f(reflected) < f(simplex[-2]):
            simplex[-1] = reflected
        else:
            shrunk = centre + 0.5 * (worst - centre)
            if f(shrunk) < f(worst):
                simplex[-1] = shrunk
            else:
                simplex[1:] = [simplex[0] + 0.5 * (p - simplex[0]) for p in simplex[1:]]
    return simplex[0]


def anneal(cost, start, neighbour, rng, t0=1.0, cooling=0.995, steps=2000):
    state = best = start
    t = t0
    for _ in range(steps):
        candidate = neighbour(state, rng)
        delta = cost(candidate) - cost(state)
        if delta < 0 or rng.random() < math.exp(-delta / t):
            state = candidate
            if cost(state) < cost(best):
                best = state
        t *= cooling
    return best


def swap(order, rng):
    i, j = sorted(rng.choice(len(order), 2, replace=False))
    return order[:i] + order[i : j + 1][::-1] + order[j + 1 :]


print(derivative(lambda x: x**3 + sin(2 * x), 1.0), Dual(2.0, 1.0) / 4 - 1, 3 - Dual(1.0, 1.0))
print(newton(lambda x: x * x - 2, 1.0), bisect(lambda x: x**3 - x - 2, 1, 2))
print(simpson(np.sin, 0, np.pi), gauss(np.exp, 0, 1), np.trapezoid([0, 1, 4], dx=1.0))
for solver in (bfgs, nelder_mead):
    x = solver(rosenbrock, [-1.2, 1.0])
    assert np.allclose(x, 1, atol=1e-2), (solver.__name__, x)
assert rosenbrock(descend(rosenbrock, (0.5, 0.5))) < 0.01
rng = np.random.default_rng(9)
cities = rng.random((12, 2))


def tour_length(order):
    points = cities[list(order)]
    return np.linalg.norm(points - np.roll(points, -1, axis=0), axis=1).sum()


start = list(range(len(cities)))
best = anneal(tour_length, start, swap, rng)
print(sorted(best) == start, tour_length(best) <= tour_length(start))
for f, bracket in ((lambda x: x * x + 1, (0, 1)), (math.cos, (0, 3))):
    try:
        print(round(bisect(f, *bracket), 4))
    except ValueError as e:
        print("bisect:", e)
A = np.array([[1.0, 1.0], [1.0, 3.0]])
b = np.array([4.0, 6.0])
corner = np.linalg.solve(A, b)
print(corner, np.array([3, 5]) @ corner, np.roots([1, -3, 2]), np.polyval([1, 0, -1], 3))
