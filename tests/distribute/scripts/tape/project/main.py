"""A project of three files: this one trains."""
import tensorflow as tf

from data import training_data
from network import build_model, report

EPOCHS = 3


def train():
    model = build_model(units=12)
    optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
    loss_fn = tf.keras.losses.MeanSquaredError()
    dataset = training_data(batch_size=16)
    for epoch in range(EPOCHS):
        for x, y in dataset:
            with tf.GradientTape() as tape:
                loss = loss_fn(y, model(x))
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))
        report(epoch, loss)
    return model


if __name__ == "__main__":
    trained = train()
    trained.save_weights("project.weights.h5")
