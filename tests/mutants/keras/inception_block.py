"""Parallel branches of convolutions joined along channels."""
import tensorflow as tf
from tensorflow.keras import Input, Model, layers


def inception(x, f1, f3, f5, pool):
    a = layers.Conv2D(f1, 1, padding="same", activation="relu")(x)
    b = layers.Conv2D(f3, 1, padding="same", activation="relu")(x)
    b = layers.Conv2D(f3, 3, padding="same", activation="relu")(b)
    c = layers.Conv2D(f5, 5, padding="same", activation="relu")(x)
    d = layers.MaxPooling2D(3, strides=1, padding="same")(x)
    d = layers.Conv2D(pool, 1, padding="same")(d)
    return layers.concatenate([a, b, c, d], axis=-1)


inputs = Input((16, 16, 3))
x = inception(inputs, 4, 6, 2, 4)
x = layers.AveragePooling2D(2)(x)
x = inception(x, 8, 8, 4, 4)
x = layers.GlobalMaxPooling2D()(x)
outputs = layers.Dense(7)(x)
model = Model(inputs, outputs)
print(model(tf.zeros((2, 16, 16, 3))).shape, x.shape)
