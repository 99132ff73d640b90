"""A custom loop whose target cannot be subtracted."""
import tensorflow as tf

w = tf.Variable(tf.random.normal((3, 1)))
b = tf.Variable(tf.zeros((1,)))
x = tf.random.normal((20, 3))
y = tf.random.normal((19, 1))  # instead: y = tf.random.normal((20, 1))
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w + b - y))
    grads = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * grads[0])
    b.assign_sub(0.1 * grads[1])
