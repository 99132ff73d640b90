import tensorflow as tf

w = tf.Variable(tf.random.normal((4, 2)))
x = tf.ones((3, 5))  # instead: x = tf.ones((3, 4))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.matmul(x, w))
print(tape.gradient(loss, w).shape)
