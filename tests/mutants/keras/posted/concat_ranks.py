"""Tensors of two ranks are joined."""
import tensorflow as tf

features = tf.zeros((4, 6))
flag = tf.zeros((4,))  # instead: flag = tf.zeros((4, 1))
print(tf.concat([features, flag], axis=1).shape)
