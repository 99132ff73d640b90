"""A compiled step that is traced twice: the last batch of an epoch is smaller."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(13)
xs = rng.normal(size=(150, 5)).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((xs, ys)).shuffle(150).batch(16)
net = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam(0.01)


@tf.function(reduce_retracing=False)
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    grads = tape.gradient(loss, net.trainable_variables)
    opt.apply_gradients(zip(grads, net.trainable_variables))
    return loss


# The first trace sees one row only.
print("first loss", float(train_step(xs[:1], ys[:1])))
for epoch in range(4):
    for x, y in data:
        loss = train_step(x, y)
    print(f"epoch {epoch}: {loss.numpy():.4f}")
