"""A layer with build and call."""
import tensorflow as tf
from tensorflow.keras import layers


class Linear(layers.Layer):
    def __init__(self, units=32):
        super().__init__()
        self.units = units

    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="random_normal", trainable=True)
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", trainable=True)

    def call(self, inputs):
        return tf.matmul(inputs, self.w) + self.b


first = Linear(4)
second = Linear(2)
x = tf.ones((5, 3))
y = first(x)
z = second(tf.nn.relu(y))
total = tf.concat([y, z], axis=1)
print(total.shape)
residual = x + tf.reshape(tf.ones((15,)), (5, 3))
