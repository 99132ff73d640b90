"""The pairs are an iterator that apply_gradients spends."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
xs = rng.normal(size=(128, 5)).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((xs, ys)).shuffle(128).batch(16)
net = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam(0.01)

for epoch in range(5):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((net(x) - y) ** 2)
        pairs = zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables)
        opt.apply_gradients(pairs)
print("final loss", loss.numpy())
