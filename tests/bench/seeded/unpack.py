"""The shape of a colour image, unpacked as if it were grey."""
import numpy as np

image = np.zeros((480, 640, 3))
height, width = image.shape  # raises ValueError
print(height / width)
