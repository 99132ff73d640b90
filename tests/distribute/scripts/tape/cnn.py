"""A convolutional network as a subclass of Model, with a compiled step and metrics."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Model
from tensorflow.keras.layers import Conv2D, Dense, Flatten

rng = np.random.default_rng(2)
y_train = rng.integers(0, 2, 320).astype("int32")
x_train = (rng.random((320, 14, 14, 1)) + 0.6 * y_train.reshape(-1, 1, 1, 1)).astype("float32")
y_test = rng.integers(0, 2, 64).astype("int32")
x_test = (rng.random((64, 14, 14, 1)) + 0.6 * y_test.reshape(-1, 1, 1, 1)).astype("float32")

train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(320).batch(32)
test_ds = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(32)


class MyModel(Model):
    def __init__(self, width):
        super().__init__()
        self.conv1 = Conv2D(width, 3, activation="relu")
        self.flatten = Flatten()
        self.d2 = Dense(2)

    def call(self, x):
        return self.d2(self.flatten(self.conv1(x)))


model = MyModel(8)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
train_loss = tf.keras.metrics.Mean(name="train_loss")
test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="test_accuracy")


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_object(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss(loss)


@tf.function
def test_step(images, labels):
    test_accuracy(labels, model(images, training=False))


for epoch in range(3):
    train_loss.reset_states()
    test_accuracy.reset_states()

    for images, labels in train_ds:
        train_step(images, labels)

    for test_images, test_labels in test_ds:
        test_step(test_images, test_labels)

    print(
        f"Epoch {epoch + 1}, "
        f"Loss: {train_loss.result()}, "
        f"Test Accuracy: {test_accuracy.result() * 100}"
    )
