"""A layer built for one width is used on another."""
import tensorflow as tf

shared = tf.keras.layers.Dense(8)
a = shared(tf.ones((2, 16)))
b = shared(a)  # instead: b = shared(tf.ones((3, 16)))
print(a.shape, b.shape)
