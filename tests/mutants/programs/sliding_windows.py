"""Windows over a time series: features, a linear forecaster and its errors."""
import numpy as np

rng = np.random.default_rng(61)
length, window, horizon = 120, 12, 3
t = np.arange(length)
series = np.sin(2 * np.pi * t / 24) + 0.1 * rng.normal(size=length)
windows = np.lib.stride_tricks.sliding_window_view(series, window + horizon)
X, Y = windows[:, :window], windows[:, window:]
cut = 80
X_train, X_test = X[:cut], X[cut:]
Y_train, Y_test = Y[:cut], Y[cut:]
mean, std = X_train.mean(axis=0), X_train.std(axis=0)
A = np.column_stack([(X_train - mean) / std, np.ones(len(X_train))])
B = np.column_stack([(X_test - mean) / std, np.ones(len(X_test))])
penalty = 0.1 * np.eye(window + 1)
penalty[-1, -1] = 0
weights = np.linalg.solve(A.T @ A + penalty, A.T @ Y_train)
forecast = B @ weights
errors = forecast - Y_test
per_step = np.sqrt((errors**2).mean(axis=0))
naive = np.repeat(X_test[:, -1:], horizon, axis=1)
skill = 1 - per_step / np.sqrt(((naive - Y_test) ** 2).mean(axis=0))
lags = np.array([np.corrcoef(series[:-k], series[k:])[0, 1] for k in range(1, window)])
summary = np.vstack([per_step, skill])
print(weights.shape, summary.shape, lags.argmax())
