"""One step of a GAN with two tapes."""
import tensorflow as tf
from tensorflow.keras import layers

noise_dim, batch = 32, 4
generator = tf.keras.Sequential([
    layers.Dense(4 * 4 * 8, input_shape=(noise_dim,)),
    layers.Reshape((4, 4, 8)),
    layers.Conv2DTranspose(8, 4, strides=2, padding="same", activation="relu"),
    layers.Conv2DTranspose(1, 4, strides=2, padding="same", activation="tanh"),
])
discriminator = tf.keras.Sequential([
    layers.Conv2D(8, 4, strides=2, padding="same", input_shape=(16, 16, 1)),
    layers.LeakyReLU(),
    layers.Flatten(),
    layers.Dense(1),
])
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
g_opt, d_opt = tf.keras.optimizers.Adam(1e-4), tf.keras.optimizers.Adam(1e-4)


def train_step(images):
    noise = tf.random.normal([batch, noise_dim])
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fakes = generator(noise, training=True)
        real_out = discriminator(images, training=True)
        fake_out = discriminator(fakes, training=True)
        g_loss = bce(tf.ones_like(fake_out), fake_out)
        d_loss = bce(tf.ones_like(real_out), real_out) + bce(tf.zeros_like(fake_out), fake_out)
    g_opt.apply_gradients(zip(g_tape.gradient(g_loss, generator.trainable_variables), generator.trainable_variables))
    d_opt.apply_gradients(zip(d_tape.gradient(d_loss, discriminator.trainable_variables), discriminator.trainable_variables))
    return g_loss, d_loss


print(train_step(tf.random.normal((batch, 16, 16, 1))))
