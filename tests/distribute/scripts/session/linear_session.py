"""Linear regression with every name spelled tf.compat.v1."""
import numpy as np
import tensorflow as tf

tf.compat.v1.disable_eager_execution()

train_X = np.asarray([3.3, 4.4, 5.5, 6.71, 6.93, 4.168, 9.779, 6.182, 7.59, 2.167, 7.042, 10.791, 5.313])
train_Y = np.asarray([1.7, 2.76, 2.09, 3.19, 1.694, 1.573, 3.366, 2.596, 2.53, 1.221, 2.827, 3.465, 1.65])
n_samples = train_X.shape[0]

X = tf.compat.v1.placeholder("float")
Y = tf.compat.v1.placeholder("float")
W = tf.compat.v1.Variable(np.random.randn(), name="weight")
b = tf.compat.v1.Variable(np.random.randn(), name="bias")
cost = tf.reduce_sum(tf.pow(W * X + b - Y, 2)) / (2 * n_samples)
optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.005).minimize(cost)

sess = tf.compat.v1.Session()
sess.run(tf.compat.v1.global_variables_initializer())
for epoch in range(60):
    for (x, y) in zip(train_X, train_Y):
        sess.run(optimizer, feed_dict={X: x, Y: y})
    if (epoch + 1) % 20 == 0:
        print("Epoch:", epoch + 1, "cost=", sess.run(cost, feed_dict={X: train_X, Y: train_Y}))
sess.close()
