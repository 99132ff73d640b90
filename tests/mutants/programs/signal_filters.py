"""Impulse responses, correlation and resampling of a signal."""
import numpy as np

n = 64
t = np.arange(n)
pulse = np.where((t > 10) & (t < 20), 1.0, 0.0)
echo = np.roll(pulse, 15) * 0.5
received = pulse + echo + 0.05 * np.random.default_rng(50).normal(size=n)
correlation = np.correlate(received, pulse, mode="full")
lags = np.arange(-n + 1, n)
delay = lags[np.argmax(correlation)]
taps = np.array([0.25, 0.5, 0.25])
smooth = np.convolve(received, taps)[1:-1]
difference = received - smooth
coarse = smooth.reshape(16, 4).mean(axis=1)
fine = np.interp(np.linspace(0, 15, 61), np.arange(16), coarse)
toeplitz = np.zeros((n, n))
for k in range(3):
    toeplitz += np.diag(np.full(n - abs(k - 1), taps[k]), k - 1)
matrix = toeplitz @ received
error = np.abs(matrix - smooth)
stereo = np.stack([received, smooth])
mid = stereo.mean(axis=0)
print(error.max() < 1e-9, fine.shape, mid.shape, abs(delay) < n, difference.std() < 1)
