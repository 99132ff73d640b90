"""Ordinary least squares by the normal equations."""
import numpy as np

rng = np.random.default_rng(0)
n, d = 50, 3
X = rng.normal(size=(n, d))
true_w = np.array([1.0, -2.0, 0.5])
y = X @ true_w + 0.1 * rng.normal(size=n)

ones = np.ones((n, 1))
A = np.hstack([ones, X])
gram = A.T @ A
moment = A.T @ y
w = np.linalg.solve(gram, moment)

prediction = A @ w
residual = y - prediction
rss = (residual ** 2).sum()
tss = ((y - y.mean()) ** 2).sum()
r2 = 1 - rss / tss
sigma2 = rss / (n - d - 1)
covariance = sigma2 * np.linalg.inv(gram)
errors = np.sqrt(np.diag(covariance))
t_values = w / errors
table = np.column_stack([w, errors, t_values])
print(table.shape, round(r2, 2))
