"""Images of two sizes are stacked."""
import numpy as np
from PIL import Image

first = Image.new("RGB", (32, 32)).resize((28, 28))
second = Image.new("RGB", (32, 32))  # instead: second = Image.new("RGB", (32, 32)).resize((28, 28))
batch = np.stack([np.array(first), np.array(second)])
print(batch.shape)
