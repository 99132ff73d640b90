"""Dot-product attention between different feature sizes."""
import tensorflow as tf
from tensorflow.keras import layers

query = tf.random.normal((2, 6, 32))
value = tf.random.normal((2, 9, 48))  # instead: value = tf.random.normal((2, 9, 32))
context = layers.Attention()([query, value])
print(layers.GlobalAveragePooling1D()(context).shape)
