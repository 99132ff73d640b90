"""The two halves of a GAN, called on tensors."""
import tensorflow as tf
from tensorflow.keras import layers


def make_generator():
    model = tf.keras.Sequential()
    model.add(layers.Dense(7 * 7 * 16, use_bias=False, input_shape=(100,)))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Reshape((7, 7, 16)))
    model.add(layers.Conv2DTranspose(8, (5, 5), strides=(1, 1), padding="same", use_bias=False))
    model.add(layers.Conv2DTranspose(4, (5, 5), strides=(2, 2), padding="same", use_bias=False))
    model.add(layers.Conv2DTranspose(1, (5, 5), strides=(2, 2), padding="same", activation="tanh"))
    return model


def make_discriminator():
    model = tf.keras.Sequential()
    model.add(layers.Conv2D(8, (5, 5), strides=(2, 2), padding="same", input_shape=[28, 28, 1]))
    model.add(layers.LeakyReLU())
    model.add(layers.Dropout(0.3))
    model.add(layers.Flatten())
    model.add(layers.Dense(1))
    return model


generator = make_generator()
discriminator = make_discriminator()
noise = tf.random.normal([3, 100])
images = generator(noise, training=False)
decision = discriminator(images)
print(images.shape, decision.shape)
