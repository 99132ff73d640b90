"""Steps that begin later, as after a restore."""
import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 4).astype("float32")
data = iter(tf.data.Dataset.from_tensor_slices(x).repeat().shuffle(256).batch(16))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.02)
start_step = 50
for step in range(start_step, 100):
    a = next(data)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(a) - tf.reduce_sum(a, 1, keepdims=True)) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    if step % 10 == 0:
        print(step, float(loss))
