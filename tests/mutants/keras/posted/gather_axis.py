"""Gather along an axis that is not there."""
import tensorflow as tf

table = tf.random.normal((10, 4))
rows = tf.gather(table, [0, 3, 5], axis=2)  # instead: rows = tf.gather(table, [0, 3, 5], axis=1 - 1)
print(rows.shape)
