"""Frames through a convolutional LSTM."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

frames, size = 5, 12
model = tf.keras.Sequential([
    layers.Input(shape=(frames, size, size, 1)),
    layers.ConvLSTM2D(4, (3, 3), padding="same", return_sequences=True),
    layers.BatchNormalization(),
    layers.ConvLSTM2D(4, (3, 3), padding="same"),
    layers.Conv2D(1, 3, padding="same", activation="sigmoid"),
])
video = np.random.rand(2, frames, size, size, 1).astype("float32")
target = video[:, -1]
model.compile(loss="mse", optimizer="adam")
model.fit(video, target, epochs=1, verbose=0)
flat = layers.TimeDistributed(layers.Flatten())(video)
print(model(video).shape, flat.shape)
