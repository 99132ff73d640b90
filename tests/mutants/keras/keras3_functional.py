"""The standalone package."""
import keras
import numpy as np
from keras import layers

inputs = keras.Input(shape=(8, 8, 2))
x = layers.SeparableConv2D(6, 3, padding="same")(inputs)
x = layers.DepthwiseConv2D(3, strides=2, padding="same")(x)
x = layers.ZeroPadding2D(1)(x)
x = layers.Cropping2D(cropping=((1, 1), (2, 2)))(x)
x = layers.Permute((2, 1, 3))(x)
x = layers.Reshape((-1, 6))(x)
q = layers.Dense(5)(x)
k = layers.Dense(5)(x)
a = layers.Attention()([q, k])
x = layers.Average()([q, a])
x = layers.Flatten()(x)
outputs = layers.Dense(2)(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="mse")
model.fit(np.random.rand(4, 8, 8, 2), np.random.rand(4, 2), epochs=1, verbose=0)
