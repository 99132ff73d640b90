"""An image cut into patches that do not cover it."""
import numpy as np

image = np.zeros((28, 30, 3))
patches = image.reshape(7, 4, 7, 4, 3)  # raises ValueError
print(patches.shape)
