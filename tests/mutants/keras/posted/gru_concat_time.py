"""Sequences of two lengths are joined along features."""
from tensorflow import keras
from tensorflow.keras import layers

a = keras.Input((20, 8))
b = keras.Input((15, 8))
x = layers.Concatenate(axis=-1)([layers.GRU(4, return_sequences=True)(a), layers.GRU(4, return_sequences=True)(b)])  # instead: x = layers.Concatenate(axis=1)([layers.GRU(4, return_sequences=True)(a), layers.GRU(4, return_sequences=True)(b)])
model = keras.Model([a, b], x)
