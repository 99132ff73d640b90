"""A data set that was not batched."""
import numpy as np
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((np.random.rand(32, 8, 8, 1).astype("float32"), np.zeros(32)))
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(4, 3, input_shape=(8, 8, 1)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(ds, epochs=1, verbose=0)
