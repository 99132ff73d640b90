"""A vector and a matrix."""
import tensorflow as tf

W = tf.Variable(tf.random.normal([3, 2]))
x = tf.constant([1.0, 2.0, 3.0])
y = tf.matmul(x, W)
