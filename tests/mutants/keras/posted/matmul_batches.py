"""Batches of matrices that do not match."""
import tensorflow as tf

a = tf.random.normal((4, 3, 5))
b = tf.random.normal((4, 3, 2))
print(tf.matmul(a, b).shape)  # instead: print(tf.matmul(a, b, transpose_a=True).shape)
