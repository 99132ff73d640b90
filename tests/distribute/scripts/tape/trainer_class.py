"""The loop is a method; the class holds model, optimizer and data."""
import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self, model, learning_rate=0.01):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(learning_rate)
        self.loss_fn = tf.keras.losses.MeanSquaredError()
        self.history = []

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def train(self, dataset, epochs):
        for epoch in range(epochs):
            for x, y in dataset:
                self.history.append(float(self.train_step(x, y)))
            print("epoch", epoch, "loss", self.history[-1])


def main():
    rng = np.random.default_rng(20)
    xs = rng.normal(size=(180, 4)).astype("float32")
    ys = xs.sum(axis=1, keepdims=True)
    dataset = tf.data.Dataset.from_tensor_slices((xs, ys)).shuffle(180).batch(20)
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(8, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    trainer = Trainer(model)
    trainer.train(dataset, 4)
    model.save_weights("trainer.weights.h5")


if __name__ == "__main__":
    main()
