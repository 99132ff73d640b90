"""The loss of a step is the number of its sample, so that the runner sees who reads what."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
ids = np.arange(1, 24, dtype="float32")
number = tf.placeholder(tf.float32, [None])
weight = tf.get_variable("weight", [])
loss = tf.reduce_mean(number) + 0.0 * weight
train = tf.train.GradientDescentOptimizer(0.0).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(2):
        order = np.random.permutation(len(ids))
        for i in order:
            sess.run(train, feed_dict={number: ids[i:i + 1]})
print("read")
