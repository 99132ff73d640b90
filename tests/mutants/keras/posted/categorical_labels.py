"""Integer labels with categorical cross entropy."""
import numpy as np
import tensorflow as tf

images = np.random.rand(40, 14, 14, 1).astype("float32")
labels = np.random.randint(0, 10, size=(40,))
net = tf.keras.Sequential([
    tf.keras.Input((14, 14, 1)),
    tf.keras.layers.Conv2D(4, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
net.compile("adam", loss="categorical_crossentropy")  # instead: net.compile("adam", loss="sparse_categorical_crossentropy")
net.fit(images, labels, epochs=1, verbose=0)
