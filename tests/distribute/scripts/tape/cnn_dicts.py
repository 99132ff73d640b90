"""A convolutional network whose weights live in dictionaries: no Model anywhere."""
import numpy as np
import tensorflow as tf

num_classes = 4
learning_rate = 0.005
training_steps = 60
batch_size = 16
display_step = 20

rng = np.random.default_rng(1)
y_train = rng.integers(0, num_classes, 256)
x_train = (rng.random((256, 12, 12, 1)) + 0.6 * y_train.reshape(-1, 1, 1, 1)).astype(np.float32)
train_data = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train_data = train_data.repeat().shuffle(256).batch(batch_size).prefetch(1)

random_normal = tf.initializers.RandomNormal(stddev=0.1)
weights = {
    "wc1": tf.Variable(random_normal([3, 3, 1, 8])),
    "out": tf.Variable(random_normal([6 * 6 * 8, num_classes])),
}
biases = {
    "bc1": tf.Variable(tf.zeros([8])),
    "out": tf.Variable(tf.zeros([num_classes])),
}


def conv_net(x):
    x = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, weights["wc1"], 1, "SAME"), biases["bc1"]))
    x = tf.nn.max_pool(x, 2, 2, "SAME")
    return tf.matmul(tf.reshape(x, [-1, 6 * 6 * 8]), weights["out"]) + biases["out"]


def cross_entropy(x, y):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x))


optimizer = tf.optimizers.Adam(learning_rate)


def run_optimization(x, y):
    with tf.GradientTape() as g:
        pred = conv_net(x)
        loss = cross_entropy(pred, y)
    trainable_variables = list(weights.values()) + list(biases.values())
    gradients = g.gradient(loss, trainable_variables)
    optimizer.apply_gradients(zip(gradients, trainable_variables))


for step, (batch_x, batch_y) in enumerate(train_data.take(training_steps), 1):
    run_optimization(batch_x, batch_y)
    if step % display_step == 0:
        pred = conv_net(batch_x)
        loss = cross_entropy(pred, batch_y)
        print("step: %i, loss: %f" % (step, loss))
