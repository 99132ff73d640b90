"""Smoothing a series in three ways."""
import numpy as np

t = np.linspace(0, 4 * np.pi, 100)
noise = np.random.default_rng(12).normal(scale=0.2, size=100)
signal = np.sin(t) + noise
width = 5
kernel = np.ones(width) / width
valid = np.convolve(signal, kernel, mode="valid")
same = np.convolve(signal, kernel, mode="same")
cumulative = np.cumsum(np.insert(signal, 0, 0.0))
running = (cumulative[width:] - cumulative[:-width]) / width
alpha = 0.3
exponential = np.zeros(100)
exponential[0] = signal[0]
for i in range(1, 100):
    exponential[i] = alpha * signal[i] + (1 - alpha) * exponential[i - 1]
gap = np.abs(running - valid).max()
residual = signal - same
together = np.column_stack((signal, same, exponential))
print(together.shape, gap < 1e-6, residual.std() < 1)
