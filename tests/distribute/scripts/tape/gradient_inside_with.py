"""The gradient is taken inside the tape's own with statement."""
import tensorflow as tf
import numpy as np

rng = np.random.default_rng(18)
xs = rng.normal(size=(160, 4)).astype("float32")
ys = xs[:, :1] * 2
model = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adamax(learning_rate=0.02)
for epoch in range(6):
    for x, y in tf.data.Dataset.from_tensor_slices((xs, ys)).shuffle(160).batch(16):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print("loss", float(loss))
