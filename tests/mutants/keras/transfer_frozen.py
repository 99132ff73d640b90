"""A base model whose features feed a new head."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


def build_base():
    inputs = keras.Input(shape=(32, 32, 3))
    x = keras.layers.Conv2D(8, 3, strides=2, activation="relu")(inputs)
    x = keras.layers.SeparableConv2D(16, 3, activation="relu")(x)
    return keras.Model(inputs, x, name="base")


base = build_base()
base.trainable = False
inputs = keras.Input(shape=(32, 32, 3))
x = keras.layers.Rescaling(scale=1 / 127.5, offset=-1)(inputs)
x = base(x, training=False)
x = keras.layers.GlobalAveragePooling2D()(x)
outputs = keras.layers.Dense(1)(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss=keras.losses.BinaryCrossentropy(from_logits=True))
images = np.random.rand(8, 32, 32, 3).astype("float32")
labels = np.random.randint(0, 2, size=(8, 1))
model.fit(images, labels, epochs=1, verbose=0)
print(tf.sigmoid(model(images)).shape)
