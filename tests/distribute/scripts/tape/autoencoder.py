"""An autoencoder on random images; the loop lives in a try statement's else."""
import tensorflow as tf
import numpy as np

num_features = 36
rng = np.random.default_rng(7)
x_train = rng.random((256, num_features)).astype(np.float32)

train_data = tf.data.Dataset.from_tensor_slices(x_train)
train_data = train_data.repeat().shuffle(256).batch(32)
train_data = train_data.prefetch(1)


class AutoEncoder(tf.Module):
    def __init__(self, hidden):
        super().__init__()
        init = tf.random.normal
        self.w1 = tf.Variable(init([num_features, hidden], stddev=0.2))
        self.b1 = tf.Variable(tf.zeros([hidden]))
        self.w2 = tf.Variable(init([hidden, num_features], stddev=0.2))
        self.b2 = tf.Variable(tf.zeros([num_features]))

    def __call__(self, x):
        code = tf.nn.sigmoid(x @ self.w1 + self.b1)
        return tf.nn.sigmoid(code @ self.w2 + self.b2)


auto = AutoEncoder(12)
optimizer = tf.optimizers.Adam(learning_rate=0.01)


def run_optimization(x):
    with tf.GradientTape() as g:
        reconstructed = auto(x)
        loss = tf.reduce_mean(tf.pow(x - reconstructed, 2))
    gradients = g.gradient(loss, auto.trainable_variables)
    optimizer.apply_gradients(zip(gradients, auto.trainable_variables))
    return loss


try:
    steps = int("120")
except ValueError:
    steps = 10
else:
    for step, batch_x in enumerate(train_data.take(steps + 1)):
        loss = run_optimization(batch_x)
        if step % 40 == 0:
            print("step: %i, loss: %f" % (step, loss))
