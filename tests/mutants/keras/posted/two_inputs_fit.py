"""A model with two inputs is fitted with one of them."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

left = keras.Input((4,), name="left")
right = keras.Input((6,), name="right")
joined = layers.concatenate([left, right])
model = keras.Model([left, right], layers.Dense(1)(joined))
model.compile("adam", "mse")
a, b, y = np.zeros((10, 4)), np.zeros((10, 6)), np.zeros((10, 1))
model.fit([b, a], y, epochs=1, verbose=0)  # instead: model.fit([a, b], y, epochs=1, verbose=0)
