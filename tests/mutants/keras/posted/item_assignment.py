"""Writing into a tensor."""
import tensorflow as tf

mask = tf.zeros((4, 4))
for i in range(4):
    mask[i, i] = 1.0
