"""An integer tensor is multiplied by a float tensor."""
import tensorflow as tf

counts = tf.constant([1, 2, 3])  # instead: counts = tf.constant([1.0, 2.0, 3.0])
weights = tf.constant([0.2, 0.3, 0.5])
print(tf.reduce_sum(counts * weights))
