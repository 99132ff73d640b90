"""A checkpoint is saved under a path that is restored at the end."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(23)
xs = rng.normal(size=(150, 4)).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((xs, ys)).shuffle(150).batch(15)
model = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
for epoch in range(4):
    for x, y in dataset:
        if len(x) < 2:
            continue
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
path = checkpoint.save("./kept/step")
checkpoint.restore(path)
print("restored", path)
