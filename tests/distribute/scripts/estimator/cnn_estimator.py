"""An Estimator with its own model_fn and numpy_input_fn."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.logging.set_verbosity(tf.logging.INFO)


def cnn_model_fn(features, labels, mode):
    layer = tf.layers.conv2d(features["x"], 4, 3, padding="same", activation=tf.nn.relu)
    logits = tf.layers.dense(tf.layers.flatten(layer), 2)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode=mode, predictions=tf.argmax(logits, axis=1))
    loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
    if mode == tf.estimator.ModeKeys.TRAIN:
        optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.05)
        train_op = optimizer.minimize(loss=loss, global_step=tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode=mode, loss=loss, train_op=train_op)
    metrics = {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, axis=1))}
    return tf.estimator.EstimatorSpec(mode=mode, loss=loss, eval_metric_ops=metrics)


def main(unused_argv):
    rng = np.random.RandomState(80)
    train_labels = rng.randint(0, 2, 256).astype("int64")
    train_data = rng.rand(256, 8, 8, 1).astype("float32") + 0.5 * train_labels.reshape(-1, 1, 1, 1).astype("float32")
    eval_data, eval_labels = train_data[:32], train_labels[:32]

    classifier = tf.estimator.Estimator(model_fn=cnn_model_fn, model_dir="./mnist_convnet_model")
    tensors_to_log = {}
    logging_hook = tf.train.LoggingTensorHook(tensors=["sparse_softmax_cross_entropy_loss/value"], every_n_iter=25)

    train_input_fn = tf.estimator.inputs.numpy_input_fn(
        x={"x": train_data}, y=train_labels, batch_size=16, num_epochs=None, shuffle=True)
    classifier.train(input_fn=train_input_fn, steps=240, hooks=[logging_hook])

    eval_input_fn = tf.estimator.inputs.numpy_input_fn(
        x={"x": eval_data}, y=eval_labels, num_epochs=1, shuffle=False)
    eval_results = classifier.evaluate(input_fn=eval_input_fn)
    print(eval_results)


if __name__ == "__main__":
    tf.app.run()
