"""A custom layer whose weight has the wrong orientation."""
import tensorflow as tf
from tensorflow import keras


class MyDense(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(self.units, input_shape[-1]), initializer="glorot_uniform", name="kernel")

    def call(self, inputs):
        return tf.matmul(inputs, self.kernel)


layer = MyDense(10)
out = layer(tf.ones((2, 5)))
