"""An int64 mean is compared with float32."""
import tensorflow as tf

labels = tf.constant([1, 0, 1], dtype=tf.int64)
probabilities = tf.constant([0.9, 0.2, 0.7])
error = labels - probabilities  # instead: error = tf.cast(labels, tf.float32) - probabilities
print(tf.reduce_mean(tf.square(error)))
