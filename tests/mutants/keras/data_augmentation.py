"""Images through preprocessing layers into a small network."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

augment = tf.keras.Sequential([
    layers.RandomFlip("horizontal"),
    layers.RandomRotation(0.1),
    layers.Resizing(24, 24),
    layers.Rescaling(1.0 / 255),
])
model = tf.keras.Sequential([
    tf.keras.Input(shape=(32, 32, 3)),
    augment,
    layers.Conv2D(4, (3, 3), padding="same", activation="relu"),
    layers.MaxPooling2D((2, 2)),
    layers.Flatten(),
    layers.Dense(5),
])
photos = np.random.randint(0, 255, size=(6, 32, 32, 3)).astype("float32")
targets = np.array([0, 1, 2, 3, 4, 0])
model.compile(loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), optimizer="sgd")
model.fit(photos, targets, epochs=1, verbose=0)
print(model(photos).shape)
