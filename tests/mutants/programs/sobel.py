"""Edges by Sobel filters with array slices."""
import numpy as np

y, x = np.mgrid[0:20, 0:30]
image = ((x - 15) ** 2 + (y - 10) ** 2 < 40).astype(float)
gx = (
    image[:-2, 2:] + 2 * image[1:-1, 2:] + image[2:, 2:]
    - image[:-2, :-2] - 2 * image[1:-1, :-2] - image[2:, :-2]
)
gy = (
    image[2:, :-2] + 2 * image[2:, 1:-1] + image[2:, 2:]
    - image[:-2, :-2] - 2 * image[:-2, 1:-1] - image[:-2, 2:]
)
magnitude = np.hypot(gx, gy)
angle = np.arctan2(gy, gx)
edges = magnitude > 1
full = np.zeros(image.shape, dtype=bool)
full[1:-1, 1:-1] = edges
rows, columns = np.nonzero(full)
centre = np.array([rows.mean(), columns.mean()])
both = np.dstack((magnitude, angle))
print(both.shape, centre.shape)
