"""refused: PT414"""
import numpy as np
import tensorflow.compat.v1 as tf

X = tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable("w", [1, 1])
train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_mean(tf.matmul(X, w)))
saver = tf.train.Saver()
data = np.ones((8, 1))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(8):
        sess.run(train, {X: data[i:i + 1]})
    saver.save(sess, "./m")
    saver.restore(sess, "./m")
