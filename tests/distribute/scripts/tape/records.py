import os

import numpy as np
import tensorflow as tf

FOLDER = "records"
FEATURES = {"x": tf.io.FixedLenFeature([4], tf.float32), "y": tf.io.FixedLenFeature([], tf.float32)}


def parse(record):
    example = tf.io.parse_single_example(record, FEATURES)
    return example["x"], example["y"]


def load(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    dataset = files.interleave(tf.data.TFRecordDataset, cycle_length=2)
    dataset = dataset.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return dataset.shuffle(200).batch(batch_size).prefetch(tf.data.AUTOTUNE)


class Regressor(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([4, 1]))
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return tf.squeeze(x @ self.w, 1) + self.b


def main():
    dataset = load(os.path.join(FOLDER, "part-*.tfrecord"), 8)
    net = Regressor()
    optimizer = tf.keras.optimizers.legacy.Adam(0.05)
    for epoch in range(4):
        losses = []
        for x, y in dataset:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(net(x) - y))
            optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
            losses.append(loss.numpy())
        print(f"epoch {epoch}: {np.mean(losses):.4f}")


if __name__ == "__main__":
    main()
