"""Convolution of grey images by a model for colour."""
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((32, 32, 3)), keras.layers.Conv2D(8, 3), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(1)])
print(model(np.zeros((2, 32, 32, 1), dtype="float32")).shape)  # instead: print(model(np.zeros((2, 32, 32, 3), dtype="float32")).shape)
