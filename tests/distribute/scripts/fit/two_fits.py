"""Training in two phases: compiled twice, fitted twice."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(37)
xs = rng.normal(size=(180, 5)).astype("float32")
ys = xs.sum(axis=1, keepdims=True)

base = keras.Sequential([keras.layers.Dense(8, activation="relu", input_shape=(5,))])
model = keras.Sequential([base, keras.layers.Dense(1)])

base.trainable = False
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
first = model.fit(xs, ys, epochs=2, batch_size=18)

base.trainable = True
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mse")
second = model.fit(xs, ys, epochs=5, initial_epoch=2, batch_size=18)
print(first.history["loss"][-1], second.history["loss"][-1])
with open("history.txt", "w") as log:
    log.write(str(second.history))
