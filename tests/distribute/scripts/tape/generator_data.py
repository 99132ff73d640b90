"""The samples come from a Python generator of unknown length."""
import numpy as np
import tensorflow as tf


def samples():
    rng = np.random.default_rng(22)
    for _ in range(171):
        x = rng.normal(size=4).astype("float32")
        yield x, x.sum(keepdims=True)


dataset = tf.data.Dataset.from_generator(
    samples,
    output_signature=(tf.TensorSpec((4,), tf.float32), tf.TensorSpec((1,), tf.float32)),
)
dataset = dataset.batch(10)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Ftrl(learning_rate=0.05)


def train(epochs):
    last = None
    for epoch in range(epochs):
        for x, y in dataset:
            with tf.GradientTape() as tape:
                last = tf.reduce_mean((model(x) - y) ** 2)
            optimizer.minimize(last, model.trainable_variables, tape=tape)
    return last


result = train(4)
print("loss", float(result))
