"""Learned positions for another length are added to token embeddings."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class TokenAndPosition(layers.Layer):
    def __init__(self, length, vocabulary, width):
        super().__init__()
        self.length = length
        self.tokens = layers.Embedding(vocabulary, width)
        self.positions = layers.Embedding(length, width)

    def call(self, x):
        return self.tokens(x) + self.positions(tf.range(self.length))


inputs = keras.Input((50,), dtype="int32")
x = TokenAndPosition(40, 1000, 32)(inputs)  # instead: x = TokenAndPosition(50, 1000, 32)(inputs)
x = layers.MultiHeadAttention(num_heads=2, key_dim=16)(x, x)
outputs = layers.Dense(2)(layers.GlobalAveragePooling1D()(x))
model = keras.Model(inputs, outputs)
