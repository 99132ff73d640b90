"""Weights that a callback writes, and another model that reads them in the same run."""
import numpy as np
import tensorflow as tf

x = np.random.rand(160, 6)
y = (x.sum(axis=1) > 3).astype("int32")


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(12, "relu", input_shape=(6,)), tf.keras.layers.Dense(2)])
    model.compile(optimizer="adam",
                  loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
                  metrics=["accuracy"])
    return model


path = "kept/weights.ckpt"
keep = tf.keras.callbacks.ModelCheckpoint(filepath=path, save_weights_only=True, verbose=1)
model = build()
model.fit(x,
          y,
          epochs=3,
          callbacks=[keep])  # keeps the weights of every epoch
again = build()
again.load_weights(path)
loss, accuracy = again.evaluate(x, y, verbose=2)
print("read: {:5.2f}".format(accuracy))
