"""A dataset that was not batched is given to fit."""
import numpy as np
import tensorflow as tf

x = np.random.rand(32, 5).astype("float32")
y = np.random.rand(32, 1).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(32)  # instead: dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(32).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Input((5,)), tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(dataset, epochs=1, verbose=0)
