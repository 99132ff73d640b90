"""One persistent tape, two optimizers, two parts of the parameters."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(11)
inputs = rng.normal(size=(256, 6)).astype("float32")
targets = inputs @ rng.normal(size=(6, 1)).astype("float32")

features = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh", input_shape=(6,))])
head = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(8,))])
slow = tf.keras.optimizers.Adagrad(learning_rate=0.05)
fast = tf.keras.optimizers.Nadam()

dataset = tf.data.Dataset.from_tensor_slices((inputs, targets)).batch(16)

for epoch in range(6):
    for x, y in dataset:
        with tf.GradientTape(persistent=True) as tape:
            error = tf.reduce_mean((head(features(x)) - y) ** 2)
        slow.apply_gradients(zip(tape.gradient(error, features.trainable_variables), features.trainable_variables))
        fast.apply_gradients(zip(tape.gradient(error, head.trainable_variables), head.trainable_variables))
        del tape
    tf.print("error", error)
print("last error", float(error))
