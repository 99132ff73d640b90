"""Image processing coursework: DCT compression, run-length coding, k-means palettes, morphology, connected parts."""
import numpy as np


def dct_matrix(n=8):
    k = np.arange(n)
    C = np.sqrt(2 / n) * np.cos(np.pi * (2 * k[None, :] + 1) * k[:, None] / (2 * n))
    C[0] /= np.sqrt(2)
    return C


C8 = dct_matrix()
QUANT = np.array(
    [
        [16, 11, 10, 16, 24, 40, 51, 61],
        [12, 12, 14, 19, 26, 58, 60, 55],
        [14, 13, 16, 24, 40, 57, 69, 56],
        [14, 17, 22, 29, 51, 87, 80, 62],
        [18, 22, 37, 56, 68, 109, 103, 77],
        [24, 35, 55, 64, 81, 104, 113, 92],
        [49, 64, 78, 87, 103, 121, 120, 101],
        [72, 92, 95, 98, 112, 100, 103, 99],
    ]
)


def blocks(img, n=8):
    h, w = img.shape
    if h % n or w % n:
        img = np.pad(img, ((0, -h % n), (0, -w % n)), mode="edge")
        h, w = img.shape
    return img.reshape(h // n, n, w // n, n).swapaxes(1, 2)


def unblocks(tiles, shape):
    rows, cols, n, _ = tiles.shape
    return tiles.swapaxes(1, 2).reshape(rows * n, cols * n)[: shape[0], : shape[1]]


def compress(img, quality=1.0):
    tiles = blocks(img - 128)
    coefficients = C8 @ tiles @ C8.T
    return np.round(coefficients / (QUANT * quality)).astype(np.int16)


def decompress(q, shape, quality=1.0):
    tiles = C8.T @ (q * QUANT * quality) @ C8
    return np.clip(unblocks(tiles, shape) + 128, 0, 255)


def zigzag(n=8):
    order = sorted(((i, j) for i in range(n) for j in range(n)), key=lambda p: (p[0] + p[1], p[0] if (p[0] + p[1]) % 2 else p[1]))
    rows, cols = zip(*order)
    return np.array(rows), np.array(cols)


def run_lengths(block):
    r, c = zigzag(len(block))
    out, zeros = [], 0
    for v in block[r, c].tolist():
        if v == 0:
            zeros += 1
        else:
            out.append((zeros, v))
            zeros = 0
    out.append((0, 0))
    return out


def psnr(a, b):
    mse = np.mean((a.astype(float) - b) ** 2)
    return np.inf if mse == 0 else 10 * np.log10(255**2 / mse)


def palette(img, k, rng, rounds=8):
    pixels = img.reshape(-1, 3).astype(float)
    centres = pixels[rng.choice(len(pixels), k, replace=False)]
    for _ in range(rounds):
        label = ((pixels[:, None] - centres) ** 2).sum(-1).argmin(1)
        for j in range(k):
            members = pixels[label == j]
            if len(members):
                centres[j] = members.mean(0)
    return centres.astype(np.uint8), label.reshape(img.shape[:2])


def erode(mask, size=3):
    r = size // 2
    padded = np.pad(mask, r, constant_values=False)
    views = np.lib.stride_tricks.sliding_window_view(padded, (size, size))
    return views.all(axis=(2, 3))


def dilate(mask, size=3):
    return ~erode(~np.pad(mask, size // 2), size)[size // 2 : -(size // 2), size // 2 : -(size // 2)]


def components(mask):
    labels = np.zeros(mask.shape, dtype=int)
    current = 0
    for start in zip(*np.nonzero(mask)):
        if labels[start]:
            continue
        current += 1
        stack = [start]
        while stack:
            y, x = stack.pop()
            if 0 <= y < mask.shape[0] and 0 <= x < mask.shape[1] and mask[y, x] and not labels[y, x]:
                labels[y, x] = current
                stack += [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
    return labels, current


def bounding_boxes(labels, n):
    for k in range(1, n + 1):
        ys, xs = np.where(labels == k)
        yield k, (ys.min(), xs.min(), ys.max() + 1, xs.max() + 1), ys.size


def warp(img, matrix):
    h, w = img.shape[:2]
    ys, xs = np.indices((h, w))
    coords = np.stack([xs.ravel(), ys.ravel(), np.ones(h * w)])
    sx, sy, sw = np.linalg.inv(matrix) @ coords
    sx, sy = np.round(sx / sw).astype(int), np.round(sy / sw).astype(int)
    ok = (sx >= 0) & (sx < w) & (sy >= 0) & (sy < h)
    out = np.zeros_like(img)
    out.reshape(h * w, -1)[ok] = img[sy[ok], sx[ok]].reshape(ok.sum(), -1)
    return out


rng = np.random.default_rng(5)
yy, xx = np.mgrid[:60, :84]
grey = 128 + 60 * np.sin(xx / 9) * np.cos(yy / 7) + rng.normal(0, 3, (60, 84))
for quality in (0.5, 1, 4):
    q = compress(grey, quality)
    back = decompress(q, grey.shape, quality)
    print(quality, q.shape, f"{np.count_nonzero(q) / q.size:.1%} kept, {psnr(grey, back):.1f} dB")
assert np.allclose(C8 @ C8.T, np.eye(8)) and back.shape == grey.shape
print(run_lengths(q[0, 0])[:3], zigzag()[0][:6].tolist())

colour = np.dstack([grey, np.flipud(grey), 255 - grey]).clip(0, 255).astype(np.uint8)
centres, label = palette(colour, 4, rng)
print(centres.shape, label.shape, psnr(colour, centres[label]) > 10)

mask = np.zeros((20, 30), bool)
mask[3:9, 4:12] = True
mask[12:18, 15:28] = True
mask[5, 20] = True
opened = dilate(erode(mask))
labels, n = components(opened)
print(components(mask)[1], n, [(k, tuple(map(int, box)), int(size)) for k, box, size in bounding_boxes(labels, n)])
shift = np.array([[1, 0, 5], [0, 1, 2], [0, 0, 1.0]])
moved = warp(colour, shift)
assert (moved[2:, 5:] == colour[:-2, :-5]).all() and not moved[:2].any()
integral = np.pad(grey, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
box = integral[10, 10] - integral[5, 10] - integral[10, 5] + integral[5, 5]
print(np.isclose(box, grey[5:10, 5:10].sum()), grey[::2, ::3].shape, np.percentile(colour, [5, 95], axis=(0, 1)).shape)
