"""Inception blocks built with the functional interface, trained by tape."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, losses, optimizers


def inception_block(x, filters):
    one = layers.Conv2D(filters, 1, padding="same", activation="relu")(x)
    three = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    pool = layers.MaxPooling2D(3, strides=1, padding="same")(x)
    return layers.Concatenate()([one, three, pool])


def build(classes=3):
    inputs = layers.Input((12, 12, 3))
    x = inception_block(inputs, 4)
    x = inception_block(x, 4)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, layers.Dense(classes)(x))


def make_dataset(x, y, batch_size=32):
    data = tf.data.Dataset.from_tensor_slices((x, y))
    return data.shuffle(1000).batch(batch_size)


def train(model, data, epochs):
    optimizer = optimizers.Adam(learning_rate=optimizers.schedules.ExponentialDecay(0.01, 1000, 0.9))
    loss_fn = losses.SparseCategoricalCrossentropy(from_logits=True)
    total = 0.0
    for epoch in range(epochs):
        for x, y in data:
            with tf.GradientTape() as tape:
                loss = loss_fn(y, model(x, training=True))
            variables = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
            total += float(loss)
        print("epoch %d, loss %.4f" % (epoch, float(loss)))
    return total


if __name__ == "__main__":
    rng = np.random.default_rng(5)
    images = rng.random((256, 12, 12, 3)).astype("float32")
    targets = (images[:, 0, 0, 0] * 3).astype("int64")
    model = build()
    total = train(model, make_dataset(images, targets), epochs=3)
    print("total", total)
