"""A loop over epochs that ends when the test loss has not fallen for a while."""
import numpy as np
import tensorflow as tf

x = np.random.rand(160, 3).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x[:128], y[:128])).shuffle(128).batch(16)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, "relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)
best, waited, patience = float("inf"), 0, 2
for epoch in range(10):
    for a, b in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(a) - b) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    test = float(tf.reduce_mean((model(x[128:]) - y[128:]) ** 2))
    print(epoch, test)
    waited = 0 if test < best - 1e-3 else waited + 1
    best = min(best, test)
    if waited >= patience:
        print("no better")
        break
