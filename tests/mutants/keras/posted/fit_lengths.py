import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x, y = np.ones((50, 2)), np.ones((40, 1))  # instead: x, y = np.ones((50, 2)), np.ones((50, 1))
model.fit(x, y, verbose=0)
