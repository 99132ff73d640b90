"""A convolutional network in a TF1 session, fed from arrays."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

learning_rate = 0.005
batch_size = 16
epochs = 6

rng = np.random.RandomState(60)
train_labels = rng.randint(0, 2, 256).astype("int64")
train_images = (rng.rand(256, 8, 8, 1) + 0.6 * train_labels.reshape(-1, 1, 1, 1)).astype("float32")

X = tf.placeholder(tf.float32, [None, 8, 8, 1])
Y = tf.placeholder(tf.int64, [None])
kernel = tf.Variable(tf.random_normal([3, 3, 1, 6], stddev=0.1))
conv = tf.nn.relu(tf.nn.conv2d(X, kernel, strides=[1, 1, 1, 1], padding="SAME"))
pool = tf.nn.max_pool(conv, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
dense = tf.Variable(tf.random_normal([4 * 4 * 6, 2], stddev=0.1))
logits = tf.matmul(tf.reshape(pool, [-1, 4 * 4 * 6]), dense)
cost = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=Y))
optimizer = tf.train.AdamOptimizer(learning_rate=learning_rate)
train_op = optimizer.minimize(cost)
init = tf.global_variables_initializer()
saver = tf.train.Saver()

with tf.Session() as sess:
    sess.run(init)
    for epoch in range(epochs):
        total_batch = len(train_images) // batch_size
        for i in range(total_batch):
            batch_x = train_images[i * batch_size:(i + 1) * batch_size]
            batch_y = train_labels[i * batch_size:(i + 1) * batch_size]
            _, c = sess.run([train_op, cost], feed_dict={X: batch_x, Y: batch_y})
        print("Epoch:", epoch + 1, "cost =", "{:.6f}".format(c))
    save_path = saver.save(sess, "./model.ckpt")
    print("Model saved in", save_path)
