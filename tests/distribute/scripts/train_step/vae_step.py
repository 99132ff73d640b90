"""A variational autoencoder whose losses are metrics."""
import numpy as np
import tensorflow as tf


class VAE(tf.keras.Model):
    def __init__(self, latent=2, **kwargs):
        super().__init__(**kwargs)
        self.latent = latent
        self.encoder = tf.keras.Sequential([tf.keras.layers.Dense(2 * latent)])
        self.decoder = tf.keras.Sequential([tf.keras.layers.Dense(12)])
        self.total = tf.keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.total]

    def call(self, x):
        mean, _ = tf.split(self.encoder(x), 2, axis=1)
        return self.decoder(mean)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            mean, log_var = tf.split(self.encoder(data), 2, axis=1)
            z = mean + tf.exp(0.5 * log_var) * tf.random.normal(tf.shape(mean))
            rebuilt = tf.reduce_mean(tf.reduce_sum((self.decoder(z) - data) ** 2, axis=1))
            kl = -0.5 * tf.reduce_mean(tf.reduce_sum(1 + log_var - mean ** 2 - tf.exp(log_var), axis=1))
            loss = rebuilt + 0.1 * kl
        grads = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.trainable_weights))
        self.total.update_state(loss)
        return {"loss": self.total.result()}


def main():
    rng = np.random.default_rng(51)
    images = rng.random((240, 12)).astype("float32")
    vae = VAE()
    vae.compile(optimizer="adam")
    vae.fit(images, epochs=6, batch_size=16, verbose=2)
    vae.save_weights("vae_weights")


main()
