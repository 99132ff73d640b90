"""A residual block with a projection."""
import numpy as np
from tensorflow.keras import Input, Model
from tensorflow.keras.layers import Activation, Add, BatchNormalization, Conv2D, Dense, GlobalAveragePooling2D


def block(x, filters, stride=1):
    shortcut = x
    y = Conv2D(filters, 3, strides=stride, padding="same")(x)
    y = BatchNormalization()(y)
    y = Activation("relu")(y)
    y = Conv2D(filters, 3, padding="same")(y)
    y = BatchNormalization()(y)
    if stride != 1:
        shortcut = Conv2D(filters, 1, strides=stride, padding="same")(x)
    y = Add()([shortcut, y])
    return Activation("relu")(y)


inputs = Input(shape=(16, 16, 3))
x = Conv2D(8, 3, padding="same")(inputs)
x = block(x, 8)
x = block(x, 16, stride=2)
x = GlobalAveragePooling2D()(x)
outputs = Dense(5)(x)
model = Model(inputs, outputs)
model.compile(optimizer="sgd", loss="mse")
model.fit(np.random.rand(6, 16, 16, 3), np.random.rand(6, 5), epochs=1, verbose=0)
