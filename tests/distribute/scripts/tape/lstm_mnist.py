"""An LSTM reads an image row by row."""
from __future__ import absolute_import, division, print_function

import tensorflow as tf
from tensorflow.keras import Model, layers
import numpy as np

num_classes = 2
learning_rate = 0.005
training_steps = 60
batch_size = 32
num_units = 16

rng = np.random.default_rng(10)
x_train = rng.random((512, 10, 10)).astype(np.float32)
y_train = (x_train[:, :, 0].mean(axis=1) > 0.5).astype(np.int64)
train_data = tf.data.Dataset.from_tensor_slices((x_train, y_train)).repeat().shuffle(500).batch(batch_size).prefetch(1)


class LSTM(Model):
    # One recurrent layer and one dense.
    def __init__(self):
        super(LSTM, self).__init__()
        self.lstm_layer = layers.LSTM(units=num_units)
        self.out = layers.Dense(num_classes)

    def call(self, x, is_training=False):
        x = self.lstm_layer(x)
        x = self.out(x)
        if not is_training:
            x = tf.nn.softmax(x)
        return x


lstm_net = LSTM()


def cross_entropy_loss(x, y):
    y = tf.cast(y, tf.int64)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x))


optimizer = tf.optimizers.Adam(learning_rate)


def run_optimization(x, y):
    with tf.GradientTape() as g:
        pred = lstm_net(x, is_training=True)
        loss = cross_entropy_loss(pred, y)
    trainable_variables = lstm_net.trainable_variables
    gradients = g.gradient(loss, trainable_variables)
    optimizer.apply_gradients(zip(gradients, trainable_variables))


for step, (batch_x, batch_y) in enumerate(train_data.take(training_steps), 1):
    run_optimization(batch_x, batch_y)
    if step % 20 == 0 or step == 1:
        pred = lstm_net(batch_x, is_training=True)
        loss = cross_entropy_loss(pred, batch_y)
        print("step: %i, loss: %f" % (step, loss))
