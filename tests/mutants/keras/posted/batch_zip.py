"""Zipped datasets with batches of two sizes."""
import tensorflow as tf

x = tf.data.Dataset.from_tensor_slices(tf.zeros((12, 3))).batch(4)
y = tf.data.Dataset.from_tensor_slices(tf.zeros((12, 3))).batch(3)  # instead: y = tf.data.Dataset.from_tensor_slices(tf.zeros((12, 3))).batch(4)
for a, b in tf.data.Dataset.zip((x, y)):
    print(tf.reduce_sum(a * b))
