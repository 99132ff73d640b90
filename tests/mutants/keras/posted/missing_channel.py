"""MNIST without the channel axis."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x_train = np.random.rand(32, 28, 28).astype("float32")
y_train = np.random.randint(0, 10, 32)
model = keras.Sequential([
    layers.Conv2D(8, 3, activation="relu", input_shape=(28, 28, 3)),
    layers.Flatten(),
    layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(x_train.reshape(32, 28, 28, 1), y_train, epochs=1, verbose=0)
