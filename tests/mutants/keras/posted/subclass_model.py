"""A subclassed model calls a layer on what another layer made."""
import tensorflow as tf


class Encoder(tf.keras.Model):
    def __init__(self, latent):
        super().__init__()
        self.flatten = tf.keras.layers.Flatten()
        self.hidden = tf.keras.layers.Dense(32, activation="relu")
        self.mean = tf.keras.layers.Dense(latent)
        self.log_var = tf.keras.layers.Dense(latent * 2)  # instead: self.log_var = tf.keras.layers.Dense(latent)

    def call(self, x):
        h = self.hidden(self.flatten(x))
        mean, log_var = self.mean(h), self.log_var(h)
        return mean + tf.exp(0.5 * log_var) * tf.random.normal(tf.shape(mean))


z = Encoder(4)(tf.random.uniform((3, 8, 8, 1)))
print(z.shape)
