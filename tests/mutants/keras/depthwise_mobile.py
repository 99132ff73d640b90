"""Blocks of depthwise convolutions with residuals."""
import tensorflow as tf
from tensorflow.keras import layers


def block(x, filters, stride):
    channels = x.shape[-1]
    h = layers.Conv2D(channels * 2, 1, padding="same", use_bias=False)(x)
    h = layers.BatchNormalization()(h)
    h = layers.ReLU(6.0)(h)
    h = layers.DepthwiseConv2D(3, strides=stride, padding="same")(h)
    h = layers.Conv2D(filters, 1)(h)
    if stride == 1 and channels == filters:
        return layers.Add()([x, h])
    return h


inputs = tf.keras.Input(shape=(24, 24, 3))
x = layers.ZeroPadding2D(1)(inputs)
x = layers.Conv2D(8, 3, strides=2)(x)
x = block(x, 8, 1)
x = block(x, 12, 2)
x = block(x, 12, 1)
x = layers.Flatten()(x)
outputs = layers.Dense(4)(x)
model = tf.keras.Model(inputs, outputs)
print(model.output_shape, model(tf.ones((2, 24, 24, 3))).shape)
