"""Image filters on arrays: blur, edges, thresholds, colour spaces, a small pipeline of functions."""
from functools import partial, reduce

import numpy as np


def checkerboard(size=64, squares=8):
    block = size // squares
    ys, xs = np.mgrid[0:size, 0:size]
    board = ((ys // block + xs // block) % 2).astype(np.float64)
    rgb = np.dstack([board, 1 - board, np.full_like(board, 0.5)])
    return rgb


def to_grey(img):
    return img @ np.array([0.299, 0.587, 0.114])


def pad_reflect(img, r):
    widths = [(r, r), (r, r)] + [(0, 0)] * (img.ndim - 2)
    return np.pad(img, widths, mode="reflect")


def convolve(img, kernel):
    kh, kw = kernel.shape
    padded = pad_reflect(img, kh // 2)
    out = np.zeros_like(img)
    for dy in range(kh):
        for dx in range(kw):
            out += kernel[dy, dx] * padded[dy : dy + img.shape[0], dx : dx + img.shape[1]]
    return out


def gaussian(radius=2, sigma=1.0):
    ax = np.arange(-radius, radius + 1)
    g = np.exp(-(ax**2) / (2 * sigma**2))
    k = np.outer(g, g)
    return k / k.sum()


def sobel(grey):
    kx = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], dtype=float)
    gx, gy = convolve(grey, kx), convolve(grey, kx.T)
    return np.hypot(gx, gy), np.arctan2(gy, gx)


def otsu(grey):
    hist, edges = np.histogram(grey, bins=64, range=(0.0, 1.0))
    centres = (edges[:-1] + edges[1:]) / 2
    w0 = hist.cumsum()
    w1 = w0[-1] - w0
    s0 = (hist * centres).cumsum()
    with np.errstate(divide="ignore", invalid="ignore"):
        m0 = s0 / w0
        m1 = (s0[-1] - s0) / w1
        between = np.nan_to_num(w0 * w1 * (m0 - m1) ** 2)
    return centres[between.argmax()]


def median(grey, r=1):
    padded = pad_reflect(grey, r)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (2 * r + 1, 2 * r + 1))
    return np.median(windows, axis=(-2, -1))


def downsample(img, k):
    h, w = img.shape[0] // k * k, img.shape[1] // k * k
    img = img[:h, :w]
    return img.reshape(h // k, k, w // k, k, -1).mean(axis=(1, 3))


def compose(*fs):
    return reduce(lambda f, g: lambda x: g(f(x)), fs)


def add_noise(img, amount, rng):
    noisy = img.copy()
    where = rng.random(img.shape[:2]) < amount
    noisy[where] = rng.random((where.sum(), img.shape[2]))
    return noisy


rng = np.random.default_rng(3)
photo = add_noise(checkerboard(), 0.05, rng)
pipeline = compose(
    partial(convolve, kernel=gaussian()[:, :]) if photo.ndim == 2 else (lambda im: im),
    to_grey,
    median,
    partial(convolve, kernel=gaussian(1, 0.8)),
)
smooth = pipeline(photo)
edges, angle = sobel(smooth)
level = otsu(np.clip(smooth, 0, 1))
binary = smooth > level
print(photo.shape, smooth.shape, edges.max() > 1, f"level {level:.2f}", binary.mean().round(2))
thumbs = [downsample(photo, k) for k in (2, 4, 8)]
print([t.shape for t in thumbs])
mosaic = np.concatenate([np.kron(t, np.ones((k, k, 1))) for t, k in zip(thumbs, (2, 4, 8))], axis=1)
print(mosaic.shape)
hist2d, _, _ = np.histogram2d(edges.ravel(), angle.ravel(), bins=(5, 8))
assert hist2d.shape == (5, 8) and hist2d.sum() == edges.size
rotated = np.rot90(photo)
flipped = photo[::-1]
overlay = np.where(binary[..., None], photo, [1.0, 0.0, 0.0])
print(rotated.shape, np.abs(flipped - photo).mean().round(3), overlay[0, 0].tolist())
