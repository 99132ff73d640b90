"""A generator whose dense layer is too small."""
from tensorflow import keras
from tensorflow.keras import layers

generator = keras.Sequential()
generator.add(keras.Input((128,)))
generator.add(layers.Dense(7 * 7 * 64))
generator.add(layers.Reshape((7, 7, 128)))
