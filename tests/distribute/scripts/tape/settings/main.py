"""A module that is imported through another prints at import, when the engine must have been started."""
import numpy as np
import tensorflow as tf
from network import make

x = np.random.RandomState(0).rand(64, 4).astype("float32")
model, optimizer = make()
ds = tf.data.Dataset.from_tensor_slices(x).batch(4)
for epoch in range(3):
    for a in ds:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(a) - tf.reduce_sum(a, 1, keepdims=True)) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(epoch, float(loss))
