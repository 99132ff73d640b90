"""Outputs of different length are stacked."""
import tensorflow as tf

a = tf.keras.layers.Dense(3)(tf.ones((2, 5)))
b = tf.keras.layers.Dense(4)(tf.ones((2, 5)))  # instead: b = tf.keras.layers.Dense(3)(tf.ones((2, 5)))
print(tf.stack([a, b], axis=1).shape)
