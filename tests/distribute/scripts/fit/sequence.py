"""Batches from a keras Sequence."""
import math

import numpy as np
from tensorflow import keras
from tensorflow.keras.optimizers import SGD


class Pairs(keras.utils.Sequence):
    def __init__(self, x, y, batch_size):
        self.x, self.y, self.batch_size = x, y, batch_size

    def __len__(self):
        return math.ceil(len(self.x) / self.batch_size)

    def __getitem__(self, index):
        low = index * self.batch_size
        return self.x[low:low + self.batch_size], self.y[low:low + self.batch_size]


rng = np.random.default_rng(40)
xs = rng.normal(size=(165, 5)).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
model = keras.models.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=SGD(lr := 0.02), loss="mse")
model.fit(Pairs(xs, ys, 16), epochs=4)
print("rate", lr)
