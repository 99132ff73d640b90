"""Cropping, flipping, tiling and sampling of images."""
import numpy as np

image = np.arange(48.0).reshape(6, 8)
crop = image[1:5, 2:6]
turned = np.rot90(crop)
mirrored = np.fliplr(image)
panorama = np.hstack((image, mirrored))
tower = np.vstack((panorama, np.flipud(panorama)))
thumbnail = tower[::2, ::4]
framed = np.pad(thumbnail, ((1, 1), (2, 2)), mode="edge")
tiles = np.tile(crop, (2, 3))
rows = np.array([0, 2, 4])
columns = np.array([1, 3])
sample = image[np.ix_(rows, columns)]
diagonal = image[np.arange(6), np.arange(6)]
blocks = image.reshape(3, 2, 4, 2).swapaxes(1, 2)
means = blocks.mean(axis=(2, 3))
canvas = np.zeros((10, 10))
canvas[:4, :4] = turned
canvas[4:7, 4:8] = means
print(framed.shape, tiles.shape, sample.shape, diagonal.shape)
