"""A learning-rate schedule held in a variable, a progress bar, and a summary writer."""
import numpy as np
import tensorflow as tf
from tqdm import tqdm

rng = np.random.default_rng(17)
xs = rng.normal(size=(240, 4)).astype("float32")
ys = xs.sum(axis=1, keepdims=True)
train = tf.data.Dataset.from_tensor_slices((xs, ys)).shuffle(240).batch(24)

schedule = tf.keras.optimizers.schedules.PiecewiseConstantDecay([10, 20], [0.02, 0.01, 0.005])
optimizer = tf.keras.optimizers.SGD(learning_rate=schedule, momentum=0.5)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
writer = tf.summary.create_file_writer("logs")

step = 0
for epoch in range(5):
    for x, y in tqdm(train):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        grads, _ = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 5.0)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        step += 1
        with writer.as_default():
            tf.summary.scalar("loss", loss, step=step)
print("steps:", step, "loss:", float(loss))
