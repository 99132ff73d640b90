"""A transpose with too few axes."""
import tensorflow as tf

x = tf.zeros((2, 3, 4))
print(tf.transpose(x, perm=[1, 0]).shape)  # instead: print(tf.transpose(x, perm=[0, 2, 1]).shape)
