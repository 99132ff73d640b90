"""One sample without the batch axis."""
import numpy as np
from tensorflow import keras

net = keras.Sequential([keras.Input((28, 28, 1)), keras.layers.Conv2D(4, 3), keras.layers.Flatten(), keras.layers.Dense(10)])
image = np.zeros((28, 28, 1), dtype="float32")
digit = net.predict(image, verbose=0).argmax()  # instead: digit = net.predict(image[None], verbose=0).argmax()
print(digit)
