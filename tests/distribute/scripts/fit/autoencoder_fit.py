"""A denoising autoencoder as a subclass, fitted onto its own input."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, losses
from tensorflow.keras.models import Model


class Denoise(Model):
    def __init__(self, latent_dim=6):
        super(Denoise, self).__init__()
        self.encoder = tf.keras.Sequential([layers.Flatten(), layers.Dense(latent_dim, activation="relu")])
        self.decoder = tf.keras.Sequential([layers.Dense(36, activation="sigmoid"), layers.Reshape((6, 6))])

    def call(self, x):
        return self.decoder(self.encoder(x))


rng = np.random.default_rng(39)
x_train = rng.random((200, 6, 6)).astype("float32")
x_noisy = np.clip(x_train + 0.1 * rng.normal(size=x_train.shape), 0, 1).astype("float32")

autoencoder = Denoise()
autoencoder.compile(optimizer="adam", loss=losses.MeanSquaredError())
autoencoder.fit(x_noisy, x_train, epochs=4, shuffle=True, batch_size=20)
encoded = autoencoder.encoder(x_train[:2]).numpy()
np.savez("codes.npz", encoded=encoded)
