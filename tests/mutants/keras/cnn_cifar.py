"""A small convolutional network with one-hot labels."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Conv2D, Dense, Flatten, MaxPooling2D
from tensorflow.keras.models import Sequential
from tensorflow.keras.utils import to_categorical

images = np.random.rand(20, 32, 32, 3).astype("float32")
labels = to_categorical(np.random.randint(0, 10, size=(20, 1)), 10)

model = Sequential([
    Conv2D(8, (3, 3), activation="relu", input_shape=(32, 32, 3)),
    MaxPooling2D((2, 2)),
    Conv2D(16, (3, 3), activation="relu"),
    MaxPooling2D((2, 2)),
    Conv2D(16, (3, 3), activation="relu"),
    Flatten(),
    Dense(16, activation="relu"),
    Dense(10, activation="softmax"),
])
model.compile(optimizer="rmsprop", loss="categorical_crossentropy", metrics=["accuracy"])
model.fit(images, labels, epochs=1, batch_size=10, verbose=0)
loss, accuracy = model.evaluate(images, labels, verbose=0)
