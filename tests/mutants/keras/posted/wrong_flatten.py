"""A Dense layer on images, and labels for each image."""
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((8, 8, 3)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(10, activation="softmax")])  # instead: model = keras.Sequential([keras.Input((8, 8, 3)), keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(np.zeros((20, 8, 8, 3)), np.zeros((20, 10)), epochs=1, verbose=0)
