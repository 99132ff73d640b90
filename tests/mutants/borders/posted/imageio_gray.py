"""A grey image that was written and read has two axes."""
import os
import tempfile

import imageio.v3 as iio
import numpy as np

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "gray.png")
    iio.imwrite(path, np.zeros((10, 12), dtype=np.uint8))
    image = iio.imread(path)
print(image.transpose(2, 0, 1).shape)  # instead: print(image.T.shape)
