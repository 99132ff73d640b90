"""A recurrent network that reads a colour's name and answers with its RGB value."""
import argparse

import numpy as np
import tensorflow as tf


class RNNColorbot(tf.keras.Model):
    def __init__(self, rnn_cell_sizes, label_dimension, keep_prob):
        super().__init__(name="")
        self.rnn = [tf.keras.layers.LSTM(size, return_sequences=True) for size in rnn_cell_sizes]
        self.relu = tf.keras.layers.Dense(label_dimension, activation=tf.nn.relu)
        self.keep_prob = keep_prob

    def call(self, chars, training=False):
        for layer in self.rnn:
            chars = layer(chars)
        return self.relu(chars[:, -1, :])


def load_dataset(count, batch_size):
    rng = np.random.default_rng(6)
    names = rng.random((count, 6, 8)).astype(np.float32)
    colours = names.mean(axis=1)[:, :3]
    dataset = tf.data.Dataset.from_tensor_slices((colours, names))
    dataset = dataset.shuffle(buffer_size=count).batch(batch_size)
    return dataset


def loss_fn(labels, predictions):
    return tf.reduce_mean(tf.math.squared_difference(predictions, labels))


def train_one_epoch(model, optimizer, train_data, log_interval=5):
    for step, (labels, chars) in enumerate(train_data):
        with tf.GradientTape() as tape:
            predictions = model(chars, training=True)
            loss = loss_fn(labels, predictions)
        grads = tape.gradient(loss, model.variables)
        optimizer.apply_gradients(zip(grads, model.variables))
        if step % log_interval == 0:
            print("train/batch #%d\tloss: %.6f" % (step, float(loss)))


def main(args):
    train_data = load_dataset(192, args.batch_size)
    model = RNNColorbot(rnn_cell_sizes=[16], label_dimension=3, keep_prob=0.5)
    optimizer = tf.keras.optimizers.Adam(learning_rate=args.learning_rate)
    for epoch in range(args.num_epochs):
        train_one_epoch(model, optimizer, train_data)
        print("Colorbot finished epoch", epoch)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=32)
    parser.add_argument("--num_epochs", type=int, default=4)
    parser.add_argument("--learning_rate", type=float, default=0.01)
    main(parser.parse_args())
