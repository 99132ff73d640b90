"""Tokens to a bag of words and a dense network."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tokens = np.random.randint(0, 40, size=(12, 9))
labels = np.random.randint(0, 4, size=12)
one_hot = tf.keras.utils.to_categorical(labels, num_classes=4)
encoded = tf.reduce_max(tf.one_hot(tokens, 40), axis=1)
model = tf.keras.models.Sequential()
model.add(layers.Input(shape=(40,)))
model.add(layers.Dense(20, activation="tanh"))
model.add(layers.Dense(4, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="adam")
history = model.fit(encoded, one_hot, epochs=1, verbose=0)
evaluation = model.evaluate(encoded, one_hot, verbose=0)
classes = np.argmax(model.predict(encoded, verbose=0), axis=1)
print(classes.shape, (classes == labels).mean() >= 0)
