"""A monitored session over a tf.data pipeline, without hooks."""
import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
tf.compat.v1.disable_eager_execution()

rng = np.random.RandomState(71)
xs = rng.randn(240, 5).astype("float32")
ys = xs.sum(axis=1, keepdims=True)

dataset = tf.compat.v1.data.Dataset.from_tensor_slices((xs, ys)).repeat(6).shuffle(240).batch(24)
x, y = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()
w = tf.compat.v1.get_variable("w", [5, 1])
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
step = tf.compat.v1.train.get_or_create_global_step()
train_op = tf.compat.v1.train.GradientDescentOptimizer(learning_rate=0.05).minimize(loss, global_step=step)

with tf.compat.v1.train.MonitoredTrainingSession() as session:
    while not session.should_stop():
        _, value, at = session.run([train_op, loss, step])
        if at % 20 == 0:
            print("step", at, "loss", value)
