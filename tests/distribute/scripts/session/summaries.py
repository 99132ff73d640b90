import argparse
import os
import sys

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
v1.disable_eager_execution()
FLAGS = None


def train():
    data = np.random.rand(256, 6).astype("float32")
    answers = data.max(axis=1, keepdims=True)
    x = v1.placeholder(tf.float32, [None, 6], name="x")
    y_ = v1.placeholder(tf.float32, [None, 1], name="y")
    with v1.name_scope("net"):
        hidden = v1.layers.dense(x, 12, activation=tf.nn.relu)
        y = v1.layers.dense(hidden, 1)
    loss = v1.losses.mean_squared_error(y_, y)
    v1.summary.scalar("loss", loss)
    global_step = v1.train.get_or_create_global_step()
    rate = v1.train.exponential_decay(FLAGS.learning_rate, global_step, 50, 0.9, staircase=True)
    train_step = v1.train.MomentumOptimizer(rate, 0.9).minimize(loss, global_step=global_step)
    merged = v1.summary.merge_all()
    saver = v1.train.Saver(max_to_keep=2)
    sess = v1.Session()
    writer = v1.summary.FileWriter(FLAGS.log_dir, sess.graph)
    sess.run(v1.global_variables_initializer())
    for i in range(FLAGS.max_steps):
        rows = np.random.randint(0, len(data), 16)
        summary, value, _ = sess.run([merged, loss, train_step], feed_dict={x: data[rows], y_: answers[rows]})
        writer.add_summary(summary, i)
        if i % 25 == 0:
            print("Loss at step %s: %s" % (i, value))
            saver.save(sess, os.path.join(FLAGS.log_dir, "model.ckpt"), global_step=i)
    writer.close()
    sess.close()


def main(_):
    if not os.path.exists(FLAGS.log_dir):
        os.makedirs(FLAGS.log_dir)
    train()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--max_steps", type=int, default=100)
    parser.add_argument("--learning_rate", type=float, default=0.05)
    parser.add_argument("--log_dir", type=str, default="logs")
    FLAGS, unparsed = parser.parse_known_args()
    v1.app.run(main=main, argv=[sys.argv[0]] + unparsed)
