"""Bootstrap intervals for a regression, and a permutation test."""
import numpy as np

rng = np.random.default_rng(101)


def design(x, degree=2):
    columns = [np.ones(len(x))]
    for power in range(1, degree + 1):
        columns.append(x ** power)
    return np.column_stack(columns)


def fit(x, y):
    X = design(x)
    coefficients, residuals, rank, _ = np.linalg.lstsq(X, y, rcond=None)
    return coefficients


x = rng.uniform(-1, 1, size=60)
y = 1 + 2 * x - 0.5 * x ** 2 + rng.normal(scale=0.2, size=x.shape)
estimates = []
for _ in range(40):
    chosen = rng.integers(0, len(x), size=len(x))
    estimates.append(fit(x[chosen], y[chosen]))
estimates = np.array(estimates)
low, high = np.percentile(estimates, [2.5, 97.5], axis=0)
width = high - low
table = np.vstack([fit(x, y), low, high]).T
observed = np.corrcoef(x, y)[0, 1]
shuffled = np.array([np.corrcoef(x, rng.permutation(y))[0, 1] for _ in range(30)])
p_value = (np.abs(shuffled) >= abs(observed)).mean()
grid = np.linspace(-1, 1, 25)
curves = design(grid) @ estimates.T
band = np.quantile(curves, [0.1, 0.9], axis=1)
print(table.shape, width.shape, band.shape, p_value < 1)
