"""A functional model with a hidden layer of features."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

inputs = tf.keras.Input(shape=(28, 28, 1))
x = layers.Conv2D(8, 3, activation="relu")(inputs)
x = layers.MaxPooling2D(2)(x)
x = layers.Conv2D(16, 3, activation="relu")(x)
x = layers.GlobalAveragePooling2D()(x)
x = layers.Dropout(0.5)(x)
outputs = layers.Dense(10, activation="softmax")(x)
model = tf.keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
images = np.random.rand(32, 28, 28, 1).astype("float32")
labels = np.random.randint(0, 10, size=(32,))
model.fit(images, labels, epochs=1, batch_size=16, verbose=0)
print(model.predict(images[:4], verbose=0).shape)
