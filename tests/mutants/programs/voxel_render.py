"""A scene of spheres rendered by rays, with shading per pixel."""
import numpy as np

height, width = 24, 32
centres = np.array([[0.0, 0.0, 5.0], [1.5, 0.5, 6.0], [-1.5, -0.5, 4.0]])
radii = np.array([1.0, 0.7, 0.5])
colours = np.array([[1.0, 0.2, 0.2], [0.2, 1.0, 0.2], [0.2, 0.2, 1.0]])
ys, xs = np.meshgrid(np.linspace(1, -1, height), np.linspace(-4 / 3, 4 / 3, width), indexing="ij")
directions = np.stack([xs, ys, np.full((height, width), 1.5)], axis=-1)
directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
rays = directions.reshape(-1, 3)
b = rays @ centres.T
c = (centres**2).sum(axis=1) - radii**2
discriminant = b**2 - c
distance = np.where(discriminant > 0, b - np.sqrt(np.maximum(discriminant, 0)), np.inf)
nearest = distance.argmin(axis=1)
depth = distance[np.arange(len(rays)), nearest]
hit = np.isfinite(depth)
points = rays[hit] * depth[hit][:, None]
normals = (points - centres[nearest[hit]]) / radii[nearest[hit]][:, None]
light = np.array([1.0, 1.0, -1.0]) / np.sqrt(3)
lambert = np.clip(normals @ light, 0, 1)
image = np.zeros((height * width, 3))
image[hit] = colours[nearest[hit]] * (0.2 + 0.8 * lambert[:, np.newaxis])
image = image.reshape(height, width, 3)
grey = image @ np.array([0.3, 0.6, 0.1])
small = image.reshape(height // 2, 2, width // 2, 2, 3).mean(axis=(1, 3))
histogram, _ = np.histogram(grey, bins=8, range=(0, 1))
print(image.shape, small.shape, histogram.sum())
