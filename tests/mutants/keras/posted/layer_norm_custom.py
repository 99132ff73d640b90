"""A custom layer whose weight is made for another axis."""
import tensorflow as tf


class Scale(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.gamma = self.add_weight(shape=(input_shape[1],), initializer="ones")  # instead: self.gamma = self.add_weight(shape=(input_shape[-1],), initializer="ones")

    def call(self, x):
        return x * self.gamma


print(Scale()(tf.ones((2, 6, 5))).shape)
