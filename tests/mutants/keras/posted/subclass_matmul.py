"""A subclassed layer whose weight has the axes the other way round."""
import tensorflow as tf


class Projection(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, input_shape):
        self.w = self.add_weight(shape=(self.units, input_shape[-1]), initializer="glorot_uniform", trainable=True)  # instead: self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="glorot_uniform", trainable=True)

    def call(self, inputs):
        return tf.matmul(inputs, self.w)


print(Projection(5)(tf.ones((2, 7))).shape)
