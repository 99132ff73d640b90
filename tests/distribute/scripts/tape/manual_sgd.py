"""No optimizer: the variables are updated by hand, on slices of arrays."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(19)
features = rng.normal(size=(200, 3)).astype("float32")
answers = (features @ np.array([1.0, -1.0, 0.5])).astype("float32")
n_samples = len(features)
batch = 20

w = tf.Variable(tf.random.normal([3]))
b = tf.Variable(0.0)
for epoch in range(5):
    for start in range(0, n_samples, batch):
        x = features[start:start + batch]
        y = answers[start:start + batch]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) + b - y) ** 2)
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(0.05 * dw)
        b.assign_sub(0.05 * db)
    print("epoch", epoch, loss.numpy())
