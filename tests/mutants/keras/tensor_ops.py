"""Plain tensor functions."""
import tensorflow as tf

x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
w = tf.Variable(tf.random.normal((3, 4)))
b = tf.Variable(tf.zeros(4))
y = tf.matmul(x, w) + b
probabilities = tf.nn.softmax(y, axis=1)
rows = tf.reduce_sum(probabilities, axis=1, keepdims=True)
centred = y - tf.reduce_mean(y, axis=0)
stacked = tf.stack([centred, centred], axis=0)
flat = tf.reshape(stacked, [2, 8])
picked = tf.gather(flat, [0, 2, 5], axis=1)
one_hot = tf.one_hot([0, 1, 1, 2], depth=3)
scores = tf.transpose(one_hot) @ tf.ones((4, 2))
wide = tf.tile(tf.expand_dims(scores, 0), [2, 1, 1])
parts = tf.split(wide, 2, axis=2)
joined = tf.concat([parts[0], parts[1]], axis=-1)
print(joined.shape, tf.squeeze(joined[:1], axis=0).shape, tf.cast(picked, tf.int32).dtype)
w.assign(tf.ones((3, 4)))
