"""Carving seams out of a synthetic picture."""
import numpy as np

rng = np.random.default_rng(12)
height, width = 10, 14
image = rng.random((height, width, 3))
luma = np.array([0.299, 0.587, 0.114])


def energy(picture):
    grey = picture @ luma
    dy = np.zeros_like(grey)
    dx = np.zeros_like(grey)
    dy[1:-1] = grey[2:] - grey[:-2]
    dx[:, 1:-1] = grey[:, 2:] - grey[:, :-2]
    return np.abs(dx) + np.abs(dy)


def seam(cost):
    rows, columns = cost.shape
    best = cost.copy()
    back = np.zeros((rows, columns), dtype=int)
    for y in range(1, rows):
        padded = np.pad(best[y - 1], 1, constant_values=np.inf)
        options = np.stack([padded[:-2], padded[1:-1], padded[2:]])
        back[y] = options.argmin(axis=0) - 1
        best[y] += options.min(axis=0)
    x = int(best[-1].argmin())
    columns_of_seam = [x]
    for y in range(rows - 1, 0, -1):
        x = x + back[y, x]
        columns_of_seam.append(x)
    return np.array(columns_of_seam[::-1])


def remove(picture, where):
    rows, columns, channels = picture.shape
    keep = np.ones((rows, columns), dtype=bool)
    keep[np.arange(rows), where] = False
    return picture[keep].reshape(rows, columns - 1, channels)


for _ in range(3):
    image = remove(image, seam(energy(image)))
mean_colour = image.mean(axis=(0, 1))
contrast = (image - mean_colour).reshape(-1, 3)
covariance = contrast.T @ contrast / len(contrast)
print(image.shape, covariance.shape)
