"""A tf.data iterator inside a TF1 session, with a config, summaries and a decayed rate."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()


def main(_):
    rng = np.random.RandomState(61)
    xs = rng.randn(200, 4).astype("float32")
    ys = xs.sum(axis=1, keepdims=True)
    dataset = tf.data.Dataset.from_tensor_slices((xs, ys)).shuffle(200).repeat().batch(20)
    x, y = tf.data.make_one_shot_iterator(dataset).get_next()
    hidden = tf.layers.dense(x, 8, activation=tf.nn.relu)
    loss = tf.losses.mean_squared_error(y, tf.layers.dense(hidden, 1))
    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(0.05, step, 50, 0.9)
    train = tf.train.MomentumOptimizer(rate, 0.9).minimize(loss, global_step=step)
    tf.summary.scalar("loss", loss)
    merged = tf.summary.merge_all()
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(config=config) as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        writer = tf.summary.FileWriter("summaries", sess.graph)
        for i in range(80):
            summary, value, _ = sess.run([merged, loss, train])
            writer.add_summary(summary, i)
            if i % 20 == 0:
                tf.logging.info("step %d", i)
                print("step", i, "loss", value)
        writer.close()


if __name__ == "__main__":
    tf.app.run(main)
