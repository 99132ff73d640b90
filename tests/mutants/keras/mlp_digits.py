"""A dense classifier on flattened images."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

rng = np.random.default_rng(0)
x_train = rng.random((64, 28, 28)).astype("float32")
y_train = rng.integers(0, 10, size=64)
x_train = x_train.reshape(64, 784)

model = keras.Sequential()
model.add(layers.Dense(32, activation="relu", input_shape=(784,)))
model.add(layers.Dropout(0.2))
model.add(layers.Dense(10, activation="softmax"))
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, batch_size=16, epochs=1, verbose=0)
scores = model.predict(x_train[:4], verbose=0)
print(scores.shape, scores.argmax(axis=1))
