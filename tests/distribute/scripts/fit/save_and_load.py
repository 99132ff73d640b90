"""A model is saved, loaded again and used; no rank may read before rank 0 has written."""
import os

import numpy as np
from tensorflow import keras

rng = np.random.default_rng(41)
xs = rng.normal(size=(160, 5)).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
os.makedirs("models")
model = keras.models.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
model.fit(xs, ys, batch_size=16, epochs=4, verbose=2)
model.save("models/net.h5")
again = keras.models.load_model("models/net.h5", compile=False)
print("same:", np.allclose(model.predict(xs[:4]), again.predict(xs[:4])))
