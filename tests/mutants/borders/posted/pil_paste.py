"""An RGB crop is written into a grey array."""
import numpy as np
from PIL import Image

canvas = np.zeros((32, 32))
patch = np.asarray(Image.new("RGB", (16, 16)))
canvas[:16, :16] = patch  # instead: canvas[:16, :16] = patch.mean(axis=2)
print(canvas.sum())
