"""train_and_evaluate with specs, and a run configuration."""
import numpy as np
import tensorflow as tf


def my_model(features, labels, mode, params):
    net = tf.compat.v1.layers.dense(features["x"], params["units"], activation=tf.nn.relu)
    out = tf.compat.v1.layers.dense(net, 1)
    loss = tf.compat.v1.losses.mean_squared_error(labels, out)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    optimizer = tf.compat.v1.train.AdagradOptimizer(learning_rate=0.1)
    train_op = optimizer.minimize(loss, global_step=tf.compat.v1.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def dataset(count, seed):
    rng = np.random.RandomState(seed)
    xs = rng.randn(count, 4).astype("float32")
    return tf.data.Dataset.from_tensor_slices(({"x": xs}, xs.sum(axis=1, keepdims=True)))


def train_input_fn():
    return dataset(180, 82).shuffle(180).repeat().batch(18)


def eval_input_fn():
    return dataset(40, 83).batch(20)


def main():
    config = tf.estimator.RunConfig(model_dir="./tae", save_checkpoints_steps=1000)
    estimator = tf.estimator.Estimator(my_model, config=config, params={"units": 8})
    train_spec = tf.estimator.TrainSpec(input_fn=train_input_fn, max_steps=60)
    eval_spec = tf.estimator.EvalSpec(input_fn=eval_input_fn, steps=None)
    tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)
    print("done")


if __name__ == "__main__":
    main()
