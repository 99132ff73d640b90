"""Denoising images."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Conv2D, Conv2DTranspose, Input, MaxPooling2D, UpSampling2D
from tensorflow.keras.models import Model

image = Input(shape=(28, 28, 1))
x = Conv2D(8, (3, 3), activation="relu", padding="same")(image)
x = MaxPooling2D((2, 2), padding="same")(x)
x = Conv2D(4, (3, 3), activation="relu", padding="same")(x)
encoded = MaxPooling2D((2, 2), padding="same")(x)
x = Conv2DTranspose(4, 3, strides=2, activation="relu", padding="same")(encoded)
x = UpSampling2D((2, 2))(x)
decoded = Conv2D(1, (3, 3), activation="sigmoid", padding="same")(x)
autoencoder = Model(image, decoded)
autoencoder.compile(optimizer="adam", loss="binary_crossentropy")
clean = np.random.rand(8, 28, 28, 1)
noisy = clean + 0.1 * np.random.normal(size=clean.shape)
autoencoder.fit(noisy, clean, epochs=1, batch_size=4, verbose=0)
code = Model(image, encoded)(tf.constant(clean, dtype=tf.float32))
print(code.shape)
