"""An einsum whose letters do not fit."""
import tensorflow as tf

q = tf.random.normal((2, 4, 10, 8))
k = tf.random.normal((2, 4, 12, 8))
scores = tf.einsum("bhqd,bhdk->bhqk", q, k)  # instead: scores = tf.einsum("bhqd,bhkd->bhqk", q, k)
print(tf.nn.softmax(scores).shape)
