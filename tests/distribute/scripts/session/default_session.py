"""A session that is the default one: operations run and evaluate themselves."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
session = tf.InteractiveSession()
rows = np.random.rand(200, 8).astype("float32")
signs = np.eye(2)[(rows.sum(axis=1) > 4).astype(int)]
x = tf.placeholder(tf.float32, [None, 8])
y = tf.placeholder(tf.float32, [None, 2])
logits = tf.matmul(x, tf.Variable(tf.truncated_normal([8, 2], stddev=0.1))) + tf.Variable(tf.zeros([2]))
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
right = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1)), tf.float32))
session.run(tf.global_variables_initializer())
for i in range(100):
    start = i * 10 % len(rows)
    batch = (rows[start:start + 10], signs[start:start + 10])
    if i % 20 == 0:
        print(i, right.eval(feed_dict={x: batch[0], y: batch[1]}))
    step.run(feed_dict={x: batch[0], y: batch[1]})
print("all", right.eval(feed_dict={x: rows, y: signs}))
session.close()
