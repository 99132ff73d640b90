"""A convolutional autoencoder."""
import numpy as np
from tensorflow.keras import layers, models

images = np.random.rand(8, 28, 28, 1).astype("float32")
encoder_in = layers.Input(shape=(28, 28, 1))
x = layers.Conv2D(8, (3, 3), activation="relu", padding="same")(encoder_in)
x = layers.MaxPooling2D((2, 2), padding="same")(x)
x = layers.Conv2D(4, (3, 3), activation="relu", padding="same")(x)
encoded = layers.MaxPooling2D((2, 2), padding="same")(x)
x = layers.Conv2D(4, (3, 3), activation="relu", padding="same")(encoded)
x = layers.UpSampling2D((2, 2))(x)
x = layers.Conv2D(8, (3, 3), activation="relu", padding="same")(x)
x = layers.UpSampling2D((2, 2))(x)
decoded = layers.Conv2D(1, (3, 3), activation="sigmoid", padding="same")(x)
autoencoder = models.Model(encoder_in, decoded)
autoencoder.compile(optimizer="adam", loss="mse")
autoencoder.fit(images, images, epochs=1, batch_size=4, verbose=0)
