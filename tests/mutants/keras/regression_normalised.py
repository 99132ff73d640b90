"""Regression with a normalisation layer."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

X = np.random.rand(50, 9)
y = np.random.rand(50)
split = 40
X_train, X_test = X[:split], X[split:]
y_train, y_test = y[:split], y[split:]
mean = X_train.mean(axis=0)
std = X_train.std(axis=0)
X_train = (X_train - mean) / std
X_test = (X_test - mean) / std
normalizer = layers.Normalization(axis=-1)
normalizer.adapt(X_train)
model = tf.keras.Sequential([normalizer, layers.Dense(16, activation="relu"), layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.Adam(0.01), loss="mae")
history = model.fit(X_train, y_train, epochs=2, validation_split=0.2, verbose=0)
predictions = model.predict(X_test, verbose=0).flatten()
error = predictions - y_test
print(error.shape, len(history.history["loss"]))
