"""The optimizer in a variable, compiled and fitted."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(32)
xs = rng.normal(size=(200, 5)).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
lr = 0.01
opt = tf.keras.optimizers.RMSprop(lr)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(opt, loss="mse")
model.fit(xs, ys, epochs=5, batch_size=20, shuffle=True)
print("loss", model.evaluate(xs, ys, verbose=0))
