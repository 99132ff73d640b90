"""A grey image has no channel axis."""
import numpy as np
from PIL import Image

picture = Image.new("L", (64, 48))
pixels = np.asarray(picture)
print(pixels[:, :, 0].mean())  # instead: print(pixels[:, :].mean())
