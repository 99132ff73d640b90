"""Both modules imported: a Keras-built model, trained first by fit and then checked by a tape over the input."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

rng = np.random.default_rng(15)
xs = rng.normal(size=(200, 4)).astype("float32")
ys = (xs.sum(axis=1) > 0).astype("int64")
dataset = tf.data.Dataset.from_tensor_slices((xs, ys)).shuffle(200).batch(20)
model = keras.models.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(2)])
optimizer = keras.optimizers.Adam(learning_rate=0.01)
criterion = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

for epoch in range(4):
    for x, y in dataset:
        with tf.GradientTape() as tape:
            loss = criterion(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(gradients, model.trainable_weights))
    print(epoch, loss.numpy())

# How much does the loss depend on the input? This tape trains nothing.
probe = tf.constant(xs[:4])
with tf.GradientTape() as input_tape:
    input_tape.watch(probe)
    loss = criterion(ys[:4], model(probe))
print("input gradient", input_tape.gradient(loss, probe).numpy().shape)
model.save("both.keras")
