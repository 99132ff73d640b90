"""A 2D convolution of an image and a 1D kernel."""
import numpy as np
from scipy.signal import convolve2d

image = np.random.rand(16, 16)
kernel = np.array([1.0, 0.0, -1.0])  # instead: kernel = np.array([[1.0, 0.0, -1.0]])
print(convolve2d(image, kernel, mode="same").shape)
