"""An RGBA image is normalised with three means."""
import numpy as np
from PIL import Image

picture = Image.new("RGBA", (8, 8))
mean = np.array([0.485, 0.456, 0.406])
pixels = np.asarray(picture) / 255.0  # instead: pixels = np.asarray(picture.convert("RGB")) / 255.0
print((pixels - mean).shape)
