"""The loss of a step is the number of its sample, so that the runner sees who reads what."""
import numpy as np
import tensorflow as tf

ids = np.arange(1, 24, dtype="float32")
dataset = tf.data.Dataset.from_tensor_slices(ids).shuffle(23).batch(1)
weight = tf.Variable(1.0)
optimizer = tf.keras.optimizers.SGD(0.0)

for epoch in range(2):
    for number in dataset:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(number) + 0.0 * weight
        optimizer.apply_gradients(zip(tape.gradient(loss, [weight]), [weight]))
print("read")
