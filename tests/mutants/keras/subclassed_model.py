"""A subclassed model with a custom training step."""
import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.conv = keras.layers.Conv2D(6, 3, activation="relu")
        self.flatten = keras.layers.Flatten()
        self.d1 = keras.layers.Dense(16, activation="relu")
        self.d2 = keras.layers.Dense(classes)

    def call(self, x):
        x = self.conv(x)
        x = self.flatten(x)
        x = self.d1(x)
        return self.d2(x)


model = Net(10)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = keras.optimizers.Adam()
images = tf.random.uniform((8, 12, 12, 1))
labels = tf.random.uniform((8,), 0, 10, dtype=tf.int32)
with tf.GradientTape() as tape:
    predictions = model(images, training=True)
    loss = loss_fn(labels, predictions)
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
