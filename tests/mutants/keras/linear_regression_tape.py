"""Gradient descent by hand."""
import tensorflow as tf

TRUE_W = tf.constant([[2.0], [-3.0]])
X = tf.random.normal((100, 2))
noise = tf.random.normal((100, 1), stddev=0.1)
y = tf.matmul(X, TRUE_W) + 1.0 + noise
W = tf.Variable(tf.zeros((2, 1)))
bias = tf.Variable(tf.zeros((1,)))


@tf.function
def predict(inputs):
    return tf.matmul(inputs, W) + bias


for step in range(3):
    with tf.GradientTape() as tape:
        error = predict(X) - y
        loss = tf.reduce_mean(tf.square(error))
    dW, db = tape.gradient(loss, [W, bias])
    W.assign_sub(0.1 * dW)
    bias.assign_sub(0.1 * db)
print(W.shape, loss.numpy())
