"""Features of the data differ from the model's input."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = np.random.rand(60, 9)
y = np.random.randint(0, 2, size=(60,))
model = keras.Sequential([keras.Input(shape=(8,)), layers.Dense(16, activation="relu"), layers.Dense(1, activation="sigmoid")])  # instead: model = keras.Sequential([keras.Input(shape=(9,)), layers.Dense(16, activation="relu"), layers.Dense(1, activation="sigmoid")])
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=1, batch_size=20, verbose=0)
