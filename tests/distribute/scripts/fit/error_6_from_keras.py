"""Only keras is imported, by from tensorflow import keras."""
import numpy as np
from tensorflow import keras

rng = np.random.default_rng(33)
xs = rng.normal(size=(160, 5)).astype("float32")
ys = (xs[:, 0] > 0).astype("float32")

inputs = keras.Input(shape=(5,))
hidden = keras.layers.Dense(6, activation="relu")(inputs)
outputs = keras.layers.Dense(1, activation="sigmoid")(hidden)
model = keras.Model(inputs, outputs)
model.compile(loss="binary_crossentropy")
model.fit(x=xs, y=ys, epochs=5, batch_size=16)
