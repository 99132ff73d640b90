"""Natural cubic splines through noisy points, and a penalised B-spline fit."""
import numpy as np


class Spline:
    def __init__(self, knots, values):
        self.knots = np.asarray(knots, dtype=float)
        self.values = np.asarray(values, dtype=float)
        n = len(self.knots)
        h = np.diff(self.knots)
        system = np.zeros((n, n))
        right = np.zeros(n)
        system[0, 0] = system[-1, -1] = 1
        for i in range(1, n - 1):
            system[i, i - 1:i + 2] = h[i - 1], 2 * (h[i - 1] + h[i]), h[i]
            right[i] = 6 * ((self.values[i + 1] - self.values[i]) / h[i] - (self.values[i] - self.values[i - 1]) / h[i - 1])
        self.curvature = np.linalg.solve(system, right)

    def __call__(self, x):
        x = np.atleast_1d(x)
        i = np.clip(np.searchsorted(self.knots, x) - 1, 0, len(self.knots) - 2)
        h = self.knots[i + 1] - self.knots[i]
        a = (self.knots[i + 1] - x) / h
        b = (x - self.knots[i]) / h
        bend = ((a ** 3 - a) * self.curvature[i] + (b ** 3 - b) * self.curvature[i + 1]) * h ** 2 / 6
        return a * self.values[i] + b * self.values[i + 1] + bend


rng = np.random.default_rng(21)
knots = np.linspace(0, 2 * np.pi, 8)
spline = Spline(knots, np.sin(knots))
x = np.linspace(0, 2 * np.pi, 40)
fitted = spline(x)
noisy = np.sin(x) + rng.normal(scale=0.1, size=x.shape)
basis = np.maximum(1 - np.abs(x[:, None] - knots[None, :]) / (knots[1] - knots[0]), 0)
second = np.diff(np.eye(8), n=2, axis=0)
penalty = 0.1 * second.T @ second
coefficients = np.linalg.solve(basis.T @ basis + penalty, basis.T @ noisy)
hat = basis @ np.linalg.inv(basis.T @ basis + penalty) @ basis.T
residual = noisy - basis @ coefficients
leverage = np.diag(hat)
cross_validation = np.mean((residual / (1 - leverage)) ** 2)
band = np.c_[fitted - 0.2, fitted, fitted + 0.2]
inside = (noisy[:, None] > band[:, :1]) & (noisy[:, None] < band[:, -1:])
print(inside.shape, cross_validation < 1)
