"""A GAN in one Model: two optimizers given to its own compile."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


class GAN(tf.keras.Model):
    def __init__(self, discriminator, generator, latent_dim):
        super().__init__()
        self.discriminator = discriminator
        self.generator = generator
        self.latent_dim = latent_dim

    def compile(self, d_optimizer, g_optimizer, loss_fn):
        super().compile()
        self.d_optimizer = d_optimizer
        self.g_optimizer = g_optimizer
        self.loss_fn = loss_fn

    def train_step(self, real):
        count = tf.shape(real)[0]
        noise = tf.random.normal((count, self.latent_dim))
        fake = self.generator(noise)
        both = tf.concat([fake, real], axis=0)
        labels = tf.concat([tf.ones((count, 1)), tf.zeros((count, 1))], axis=0)
        with tf.GradientTape() as tape:
            d_loss = self.loss_fn(labels, self.discriminator(both))
        grads = tape.gradient(d_loss, self.discriminator.trainable_weights)
        self.d_optimizer.apply_gradients(zip(grads, self.discriminator.trainable_weights))
        with tf.GradientTape() as tape:
            g_loss = self.loss_fn(tf.zeros((count, 1)), self.discriminator(self.generator(noise)))
        grads = tape.gradient(g_loss, self.generator.trainable_weights)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_weights))
        return {"d_loss": d_loss, "g_loss": g_loss}


rng = np.random.default_rng(52)
points = rng.normal(2.0, 0.5, size=(256, 2)).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices(points).shuffle(256).batch(32)
discriminator = tf.keras.Sequential([layers.Dense(8, activation="relu"), layers.Dense(1)])
generator = tf.keras.Sequential([layers.Dense(8, activation="relu"), layers.Dense(2)])
gan = GAN(discriminator=discriminator, generator=generator, latent_dim=4)
gan.compile(
    d_optimizer=tf.keras.optimizers.Adam(learning_rate=0.003),
    g_optimizer=tf.keras.optimizers.Adam(learning_rate=0.003),
    loss_fn=tf.keras.losses.BinaryCrossentropy(from_logits=True),
)
gan.fit(dataset, epochs=4)
