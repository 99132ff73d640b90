"""Sentiment with an embedding and a bidirectional GRU."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

vocabulary, length = 500, 24
tokens = np.random.randint(0, vocabulary, size=(16, length))
labels = np.random.randint(0, 2, size=(16,))

inputs = keras.Input(shape=(length,), dtype="int32")
x = layers.Embedding(vocabulary, 8)(inputs)
x = layers.SpatialDropout1D(0.1)(x)
x = layers.Bidirectional(layers.GRU(6, return_sequences=True))(x)
x = layers.GlobalMaxPooling1D()(x)
x = layers.Dense(4, activation="relu")(x)
outputs = layers.Dense(1, activation="sigmoid")(x)
model = keras.Model(inputs, outputs)
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(tokens, labels, epochs=1, verbose=0)
