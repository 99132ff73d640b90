"""Signal processing: windowed-sinc filter, STFT, autocorrelation pitch."""
import numpy as np

FS = 8000


def sine(freq, seconds, fs=FS, amplitude=1.0):
    t = np.arange(int(seconds * fs)) / fs
    return amplitude * np.sin(2 * np.pi * freq * t)


def lowpass(cutoff, taps=101, fs=FS):
    if taps % 2 == 0:
        raise ValueError("need an odd number of taps")
    n = np.arange(taps) - (taps - 1) / 2
    h = np.sinc(2 * cutoff / fs * n) * np.hamming(taps)
    return h / h.sum()


def highpass(cutoff, taps=101, fs=FS):
    h = -lowpass(cutoff, taps, fs)
    h[taps // 2] += 1
    return h


def frames(x, size, hop):
    count = 1 + (len(x) - size) // hop
    idx = np.arange(size)[None, :] + hop * np.arange(count)[:, None]
    return x[idx]


def stft(x, size=256, hop=128):
    window = np.hanning(size)
    return np.fft.rfft(frames(x, size, hop) * window, axis=1)


def istft(S, size=256, hop=128):
    window = np.hanning(size)
    pieces = np.fft.irfft(S, n=size, axis=1)
    length = hop * (len(pieces) - 1) + size
    out = np.zeros(length)
    norm = np.zeros(length)
    for k, piece in enumerate(pieces):
        span = slice(k * hop, k * hop + size)
        out[span] += piece * window
        norm[span] += window**2
    return out / np.maximum(norm, 1e-8)


def pitch(x, fs=FS, lo=60, hi=500):
    x = x - x.mean()
    ac = np.correlate(x, x, mode="full")[len(x) - 1 :]
    lags = np.arange(fs // hi, fs // lo)
    best = lags[np.argmax(ac[lags])]
    return fs / best


def biquad(x, b, a):
    y = np.zeros_like(x)
    x1 = x2 = y1 = y2 = 0.0
    for n, xn in enumerate(x):
        yn = b[0] * xn + b[1] * x1 + b[2] * x2 - a[1] * y1 - a[2] * y2
        x2, x1 = x1, xn
        y2, y1 = y1, yn
        y[n] = yn
    return y


tone = sine(220, 0.5)
hiss = 0.3 * np.random.default_rng(0).standard_normal(len(tone))
mixture = tone + sine(3000, 0.5, amplitude=0.5) + hiss

h = lowpass(1000)
clean = np.convolve(mixture, h, mode="same")
assert clean.shape == mixture.shape

S = stft(clean)
print("frames", S.shape[0], "bins", S.shape[1])
power = np.abs(S) ** 2
freqs = np.fft.rfftfreq(256, d=1 / FS)
peak = freqs[power.mean(axis=0).argmax()]
print("peak", peak, "Hz, pitch", round(pitch(clean), 1))

mask = freqs < 1500
S[:, ~mask] = 0
back = istft(S)
middle = slice(256, len(back) - 256)
print("reconstruction error", np.abs(back[middle] - clean[: len(back)][middle]).max())

centroid = (power * freqs).sum(axis=1) / power.sum(axis=1)
db = 10 * np.log10(power.T + 1e-10)
bands = np.array_split(db, 4, axis=0)
energies = np.array([band.mean() for band in bands])
print(centroid.shape, db.shape, energies.round(1), np.argsort(energies)[::-1])
print(biquad(np.r_[1.0, np.zeros(7)], b=[0.2, 0.4, 0.2], a=[1.0, -0.3, 0.1]).round(4))
high = np.convolve(mixture, highpass(1000), "valid")
print(len(mixture) - len(high) == len(h) - 1)
