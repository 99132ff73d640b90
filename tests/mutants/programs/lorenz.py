"""Euler steps of the Lorenz system for many starting points."""
import numpy as np


def lorenz(state, sigma=10.0, rho=28.0, beta=8 / 3):
    x, y, z = state[:, 0], state[:, 1], state[:, 2]
    return np.stack([sigma * (y - x), x * (rho - z) - y, x * y - beta * z], axis=1)


starts = 4
state = np.ones((starts, 3)) + 0.01 * np.arange(starts)[:, None]
steps = 100
history = np.empty((steps, starts, 3))
for i in range(steps):
    state = state + 0.005 * lorenz(state)
    history[i] = state
separation = np.linalg.norm(history[:, 1:] - history[:, :1], axis=2)
growth = np.log(separation[-1] / separation[0])
flat = history.reshape(steps * starts, 3)
low, high = flat.min(axis=0), flat.max(axis=0)
scaled = (history - low) / (high - low)
print(scaled.shape, growth.shape)
