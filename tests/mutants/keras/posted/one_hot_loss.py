"""One-hot targets of another number of classes."""
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(3, activation="softmax")])
model.compile(loss="categorical_crossentropy")
targets = keras.utils.to_categorical(np.array([0, 1, 3, 2]), 4)  # instead: targets = keras.utils.to_categorical(np.array([0, 1, 0, 2]), 3)
model.fit(np.zeros((4, 5)), targets, verbose=0)
