"""Fashion images; the gradient is computed by a function and applied in the loop."""
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"

import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(3)
train_images = rng.random((384, 10, 10)).astype("float32")
train_labels = (train_images.sum(axis=(1, 2)) > 50).astype("int64")

train_dataset = tf.data.Dataset.from_tensor_slices((train_images, train_labels))
train_dataset = train_dataset.shuffle(buffer_size=384)
train_dataset = train_dataset.batch(32)

model = keras.Sequential([
    keras.layers.Flatten(),
    keras.layers.Dense(16, activation=tf.nn.relu),
    keras.layers.Dense(10),
])
optimizer = tf.keras.optimizers.RMSprop(learning_rate=0.001)


def loss(model, x, y):
    return tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(y, model(x), from_logits=True))


def grad(model, inputs, targets):
    with tf.GradientTape() as tape:
        loss_value = loss(model, inputs, targets)
    return loss_value, tape.gradient(loss_value, model.trainable_variables)


train_loss_results = []
for epoch in range(4):
    epoch_loss = keras.metrics.Mean()
    for x, y in train_dataset:
        loss_value, grads = grad(model, x, y)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        epoch_loss.update_state(loss_value)
    train_loss_results.append(epoch_loss.result())
    if epoch % 2 == 0: print("Epoch {:03d}: Loss: {:.3f}".format(epoch, epoch_loss.result()))
