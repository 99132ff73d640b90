"""Integers and floats."""
import tensorflow as tf

counts = tf.constant([1, 2, 3])
weights = tf.constant([0.2, 0.3, 0.5])
total = tf.reduce_sum(counts * weights)
