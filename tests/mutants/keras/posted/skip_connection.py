"""A skip connection over a strided convolution."""
from tensorflow.keras import Input
from tensorflow.keras.layers import Add, BatchNormalization, Conv2D

inputs = Input(shape=(56, 56, 64))
x = Conv2D(64, 3, strides=2, padding="same")(inputs)
x = BatchNormalization()(x)
x = Conv2D(64, 3, padding="same")(x)
out = Add()([x, inputs])
