"""Padded reviews through a bidirectional layer."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

max_features = 500
maxlen = 30
rng = np.random.default_rng(0)
reviews = [rng.integers(1, max_features, size=n).tolist() for n in (12, 30, 44, 7)]
x = keras.utils.pad_sequences(reviews, maxlen=maxlen)
y = np.array([0, 1, 1, 0])
model = keras.Sequential([
    keras.Input(shape=(maxlen,)),
    layers.Embedding(max_features, 16),
    layers.Bidirectional(layers.LSTM(8, return_sequences=True)),
    layers.Bidirectional(layers.LSTM(4)),
    layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(x, y, batch_size=2, epochs=1, verbose=0)
scores = tf.squeeze(model(x), axis=1)
print(scores.shape)
