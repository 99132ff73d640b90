"""Colours, brightness and channels of an image."""
import numpy as np

rng = np.random.default_rng(29)
height, width = 12, 16
image = rng.integers(0, 256, size=(height, width, 3), dtype=np.uint8)
pixels = image.astype(float) / 255
weights = np.array([0.299, 0.587, 0.114])
grey = pixels @ weights
red, green, blue = pixels[:, :, 0], pixels[:, :, 1], pixels[:, :, 2]
luma = 0.299 * red + 0.587 * green + 0.114 * blue
difference = np.abs(grey - luma)
sepia = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])
toned = np.clip(pixels @ sepia.T, 0, 1)
brighter = np.clip(pixels * 1.2 + 0.1, 0, 1)
mean_colour = pixels.reshape(-1, 3).mean(axis=0)
balanced = pixels * (mean_colour.mean() / mean_colour)
rgba = np.concatenate([balanced, np.ones((height, width, 1))], axis=2)
print(toned.shape, rgba.shape, difference.max() < 1e-9, brighter.max() <= 1)
