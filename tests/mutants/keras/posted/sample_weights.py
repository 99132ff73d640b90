"""Sample weights that are fewer than samples."""
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
x, y = np.zeros((16, 3)), np.zeros((16, 1))
weights = np.ones(15)  # instead: weights = np.ones(16)
model.fit(x, y, sample_weight=weights, epochs=1, verbose=0)
