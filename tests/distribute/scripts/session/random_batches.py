"""Batches drawn with a fixed NumPy seed, in a fixed number of steps."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
np.random.seed(62)
data = np.random.randn(300, 6).astype("float32")
labels = (data[:, :1] > 0).astype("float32")

features = tf.placeholder(tf.float32, [None, 6])
target = tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable("w", [6, 1])
b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
logits = tf.matmul(features, w) + b
loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=target, logits=logits))
opt = tf.train.AdagradOptimizer(0.5)
grads_and_vars = opt.compute_gradients(loss)
clipped = [(tf.clip_by_value(g, -1.0, 1.0), v) for g, v in grads_and_vars]
train_op = opt.apply_gradients(clipped)


def next_batch(size):
    pick = np.random.choice(len(data), size)
    return data[pick], labels[pick]


with tf.Session() as sess:
    tf.global_variables_initializer().run()
    for step in range(100):
        bx, by = next_batch(25)
        _, value = sess.run([train_op, loss], {features: bx, target: by})
        if step % 25 == 0:
            print(step, value)
