"""A layer that attends over time, with its own weights."""
import tensorflow as tf
from tensorflow.keras.layers import Dense, GRU, Input, Layer
from tensorflow.keras.models import Model


class TimeAttention(Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.W = self.add_weight(name="W", shape=(input_shape[-1], self.units), initializer="glorot_uniform")
        self.v = self.add_weight(name="v", shape=(self.units, 1), initializer="glorot_uniform")
        super().build(input_shape)

    def call(self, x):
        score = tf.matmul(tf.tanh(tf.matmul(x, self.W)), self.v)
        weights = tf.nn.softmax(score, axis=1)
        return tf.reduce_sum(weights * x, axis=1)


inputs = Input(shape=(12, 6))
sequence = GRU(10, return_sequences=True)(inputs)
context = TimeAttention(7)(sequence)
outputs = Dense(2)(context)
model = Model(inputs, outputs)
result = model(tf.random.normal((5, 12, 6)))
print(result.shape)
