"""A convolutional network under a MonitoredTrainingSession that stops at a step."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

rng = np.random.RandomState(70)
labels = rng.randint(0, 2, 256).astype("int64")
images = (rng.rand(256, 8, 8, 1) + 0.6 * labels.reshape(-1, 1, 1, 1)).astype("float32")


def train_input_generator(x_train, y_train, batch_size=16):
    while True:
        p = np.random.permutation(len(x_train))
        x_train, y_train = x_train[p], y_train[p]
        index = 0
        while index <= len(x_train) - batch_size:
            yield x_train[index:index + batch_size], y_train[index:index + batch_size]
            index += batch_size


def conv_model(feature, target):
    h = tf.layers.conv2d(feature, 6, [3, 3], activation=tf.nn.relu, padding="SAME")
    h = tf.layers.flatten(tf.nn.max_pool(h, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"))
    logits = tf.layers.dense(h, 2)
    return tf.losses.sparse_softmax_cross_entropy(target, logits)


def main(_):
    image = tf.placeholder(tf.float32, [None, 8, 8, 1])
    label = tf.placeholder(tf.int64, [None])
    loss = conv_model(image, label)
    opt = tf.train.RMSPropOptimizer(0.002)
    global_step = tf.train.get_or_create_global_step()
    train_op = opt.minimize(loss, global_step=global_step)
    hooks = [
        tf.train.StopAtStepHook(last_step=640),
        tf.train.LoggingTensorHook(tensors={"step": global_step, "loss": loss}, every_n_iter=20),
    ]
    batches = train_input_generator(images, labels)
    with tf.train.MonitoredTrainingSession(checkpoint_dir="./checkpoints", hooks=hooks) as mon_sess:
        while not mon_sess.should_stop():
            image_, label_ = next(batches)
            _, value = mon_sess.run([train_op, loss], feed_dict={image: image_, label: label_})
    print("finished with loss", value)


if __name__ == "__main__":
    tf.app.run()
