"""The loss of a step is the number of its sample, so that the runner sees who reads what."""
import numpy as np
import tensorflow as tf

ids = np.arange(1, 24, dtype="float32")
inputs = np.zeros((23, 1), dtype="float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, use_bias=False)])
model.compile(optimizer=tf.keras.optimizers.SGD(0.0), loss=lambda number, output: number + 0.0 * output)
model.fit(inputs, ids, batch_size=1, epochs=2)
