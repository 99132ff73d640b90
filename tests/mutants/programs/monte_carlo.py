"""Estimates of pi and of an option's price."""
import numpy as np

rng = np.random.default_rng(24)
n = 1000
xy = rng.random((n, 2))
inside = (xy ** 2).sum(axis=1) <= 1
pi = 4 * inside.mean()
running = 4 * np.cumsum(inside) / np.arange(1, n + 1)
spot, strike, rate, vol, years, steps = 100.0, 105.0, 0.02, 0.2, 1.0, 12
dt = years / steps
shocks = rng.standard_normal((n, steps))
growth = (rate - 0.5 * vol ** 2) * dt + vol * np.sqrt(dt) * shocks
paths = spot * np.exp(np.cumsum(growth, axis=1))
payoff = np.maximum(paths[:, -1] - strike, 0)
asian = np.maximum(paths.mean(axis=1) - strike, 0)
both = np.vstack([payoff, asian])
prices = np.exp(-rate * years) * both.mean(axis=1)
errors = both.std(axis=1) / np.sqrt(n)
print(abs(pi - 3.14) < 0.3, prices.shape, (prices - errors).shape, running.shape)
