"""Width and height of an image are swapped when an array is allocated."""
import numpy as np
from PIL import Image

picture = Image.new("RGB", (64, 48))
canvas = np.zeros((picture.width, picture.height, 3))  # instead: canvas = np.zeros((picture.height, picture.width, 3))
canvas += np.array(picture)
print(canvas.shape)
