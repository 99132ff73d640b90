"""A Python generator of batches, with steps_per_epoch."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(36)
xs = rng.normal(size=(192, 5)).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
BATCH = 16


def batches(x, y, size):
    while True:
        order = np.random.permutation(len(x))
        for start in range(0, len(x) - size + 1, size):
            pick = order[start:start + size]
            yield x[pick], y[pick]


model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.Nadam(learning_rate=0.01), loss="mse")
model.fit(batches(xs, ys, BATCH), steps_per_epoch=len(xs) // BATCH, epochs=4)
model.save_weights("generator.weights.h5")
