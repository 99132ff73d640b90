"""A separable Gaussian blur."""
import numpy as np


def gaussian(size, sigma):
    x = np.arange(size) - size // 2
    kernel = np.exp(-x ** 2 / (2 * sigma ** 2))
    return kernel / kernel.sum()


image = np.zeros((15, 21))
image[7, 10] = 1.0
kernel = gaussian(5, 1.0)
rows = np.array([np.convolve(row, kernel, mode="same") for row in image])
blurred = np.array([np.convolve(column, kernel, mode="same") for column in rows.T]).T
square = np.outer(kernel, kernel)
patch = blurred[5:10, 8:13]
gap = np.abs(patch - square).max()
sharp = image + 0.5 * (image - blurred)
profile = blurred.sum(axis=0)
mean = (profile * np.arange(21)).sum() / profile.sum()
print(gap < 1e-9, sharp.shape, abs(mean - 10) < 1)
