"""Validation data with other features."""
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Input((12,)), keras.layers.Dense(6, "relu"), keras.layers.Dense(3, "softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
x_train, y_train = np.zeros((30, 12)), np.zeros(30, dtype=int)
x_test, y_test = np.zeros((10, 11)), np.zeros(10, dtype=int)  # instead: x_test, y_test = np.zeros((10, 12)), np.zeros(10, dtype=int)
model.fit(x_train, y_train, epochs=1, verbose=0)
loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
