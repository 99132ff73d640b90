import numpy as np
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices((np.ones((20, 6), "float32"), np.ones((20, 1), "float32")))
model = tf.keras.Sequential([tf.keras.layers.Input((6,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, verbose=0)  # instead: model.fit(data.batch(5), verbose=0)
