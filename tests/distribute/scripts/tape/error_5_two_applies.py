"""Two optimizers applied in one function that already has a global statement."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(14)
xs = rng.normal(size=(128, 4)).astype("float32")
ys = xs @ np.arange(4, dtype="float32")[:, None]
data = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(16)
left = tf.keras.Sequential([tf.keras.layers.Dense(1)])
right = tf.keras.Sequential([tf.keras.layers.Dense(1)])
left_opt = tf.keras.optimizers.SGD(0.02)
right_opt = tf.keras.optimizers.SGD(0.02)
seen = 0


def step(x, y):
    global seen
    with tf.GradientTape() as left_tape, tf.GradientTape() as right_tape:
        loss = tf.reduce_mean((left(x) + right(x) - y) ** 2)
    left_grads = left_tape.gradient(loss, left.trainable_variables)
    right_grads = right_tape.gradient(loss, right.trainable_variables)
    left_opt.apply_gradients(zip(left_grads, left.trainable_variables))
    right_opt.apply_gradients(zip(right_grads, right.trainable_variables))
    seen += len(x)
    return loss


for epoch in range(4):
    for x, y in data:
        value = step(x, y)
    print("seen", seen, "loss", float(value))
