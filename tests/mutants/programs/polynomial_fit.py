"""Fitting and evaluating polynomials."""
import numpy as np

x = np.linspace(-1, 1, 25)
y = 1 + 2 * x - 3 * x ** 3 + 0.05 * np.random.default_rng(26).normal(size=25)
degree = 3
coefficients = np.polyfit(x, y, degree)
fitted = np.polyval(coefficients, x)
V = np.vander(x, degree + 1)
direct, residuals, rank, singular = np.linalg.lstsq(V, y, rcond=None)
gap = np.abs(coefficients - direct).max()
rows = np.array([x ** p for p in range(degree + 1)])
again = np.linalg.inv(rows @ rows.T) @ rows @ y
left = x[:20]
held = x[20:]
small = np.polyfit(left, y[:20], 2)
error = np.mean((np.polyval(small, held) - y[20:]) ** 2)
print(gap < 1e-6, again.shape, fitted.shape, error > 0)
