"""Inputs and targets cut differently."""
import numpy as np
from tensorflow import keras

x = np.random.rand(1000, 10)
y = np.random.rand(1000, 1)
x_train, x_test = x[:800], x[800:]
y_train, y_test = y[:900], y[900:]
model = keras.Sequential([keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x_train, y_train, epochs=1, verbose=0)
