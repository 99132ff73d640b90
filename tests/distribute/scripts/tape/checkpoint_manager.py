"""A checkpoint manager that restores and saves, and a call whose result is printed."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(21)
xs = rng.normal(size=(140, 4)).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((xs, ys)).shuffle(140).batch(10)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
ckpt = tf.train.Checkpoint(step=tf.Variable(0), model=model, optimizer=optimizer)
manager = tf.train.CheckpointManager(ckpt, "./tf_ckpts", max_to_keep=2)
ckpt.restore(manager.latest_checkpoint)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    variables = model.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


for epoch in range(3):
    for x, y in dataset:
        ckpt.step.assign_add(1)
        train_step(x, y)
    save_path = manager.save()
    print("Saved checkpoint for step {}: {}".format(int(ckpt.step), save_path))
    print("last loss", train_step(xs[:5], ys[:5]).numpy())
