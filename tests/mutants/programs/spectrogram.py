"""Short-time Fourier transform by framing."""
import numpy as np

rate, seconds = 1000, 1
t = np.arange(rate * seconds) / rate
signal = np.sin(2 * np.pi * (50 + 100 * t) * t)
size, hop = 128, 64
count = 1 + (len(signal) - size) // hop
starts = hop * np.arange(count)
index = starts[:, None] + np.arange(size)[None, :]
frames = signal[index]
window = np.hanning(size)
spectra = np.fft.rfft(frames * window, axis=1)
power = np.abs(spectra) ** 2
db = 10 * np.log10(power + 1e-10)
frequency = np.fft.rfftfreq(size, 1 / rate)
centroid = (power * frequency).sum(axis=1) / power.sum(axis=1)
bands = 5
filters = np.random.default_rng(28).random((bands, size // 2 + 1))
mel = np.log(power @ filters.T + 1e-10)
print(db.shape, centroid.shape, mel.shape)
