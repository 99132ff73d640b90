"""Removing noise in the frequency domain."""
import numpy as np

n = 256
dt = 0.01
t = np.arange(n) * dt
clean = np.sin(2 * np.pi * 5 * t) + 0.5 * np.sin(2 * np.pi * 12 * t)
noisy = clean + np.random.default_rng(27).normal(scale=0.5, size=n)
spectrum = np.fft.rfft(noisy)
frequency = np.fft.rfftfreq(n, dt)
power = np.abs(spectrum) ** 2 / n
keep = power > np.median(power) * 10
filtered = np.fft.irfft(spectrum * keep, n)
residual = noisy - filtered
band = frequency < 20
low = np.where(band, spectrum, 0)
smooth = np.fft.irfft(low)
error = np.sqrt(np.mean((smooth - clean) ** 2))
peak = frequency[np.argmax(power)]
print(filtered.shape, residual.shape, error < 1, peak > 0)
