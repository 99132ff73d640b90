"""An Estimator fed by a tf.data input function; the optimizer is made in model_fn."""
import numpy as np
import tensorflow as tf


def model_fn(features, labels, mode):
    w = tf.compat.v1.get_variable("w", [5, 1])
    prediction = tf.matmul(features, w)
    loss = tf.reduce_mean(tf.square(prediction - labels))
    opt = tf.compat.v1.train.AdamOptimizer(0.05)
    train_op = opt.minimize(loss, global_step=tf.compat.v1.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, predictions=prediction, loss=loss, train_op=train_op)


def input_fn():
    rng = np.random.RandomState(81)
    xs = rng.randn(200, 5).astype("float32")
    ys = xs.sum(axis=1, keepdims=True)
    return tf.data.Dataset.from_tensor_slices((xs, ys)).shuffle(200).repeat().batch(20)


estimator = tf.estimator.Estimator(model_fn, config=tf.estimator.RunConfig(tf_random_seed=None))
estimator.train(input_fn, max_steps=160)
print("trained", estimator.get_variable_value("w").ravel())
