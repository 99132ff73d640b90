"""A 2D convolution over frames without TimeDistributed."""
from tensorflow import keras
from tensorflow.keras import layers

frames = keras.Input((8, 32, 32, 3))
x = layers.TimeDistributed(layers.Conv2D(8, 3, activation="relu"))(frames)
x = layers.TimeDistributed(layers.MaxPooling2D())(x)
x = layers.LSTM(16)(x)  # instead: x = layers.LSTM(16)(layers.TimeDistributed(layers.Flatten())(x))
model = keras.Model(frames, layers.Dense(5)(x))
