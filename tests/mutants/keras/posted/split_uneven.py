"""A split that does not divide."""
import tensorflow as tf

q, k, v = tf.split(tf.zeros((2, 10)), 3, axis=-1)  # instead: q, k, v = tf.split(tf.zeros((2, 12)), 3, axis=-1)
print(q.shape)
