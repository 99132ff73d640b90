"""The Reshape after a Dense layer expects another number of features."""
import tensorflow as tf
from tensorflow.keras import layers

generator = tf.keras.Sequential([
    layers.Input((64,)),
    layers.Dense(7 * 7 * 32),
    layers.Reshape((7, 7, 64)),  # instead: layers.Reshape((7, 7, 32)),
    layers.Conv2DTranspose(16, 4, strides=2, padding="same"),
    layers.Conv2DTranspose(1, 4, strides=2, padding="same", activation="tanh"),
])
print(generator.output_shape)
