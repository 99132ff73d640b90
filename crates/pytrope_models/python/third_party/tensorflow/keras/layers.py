"""tf.keras.layers is keras.layers."""

from keras.layers import *
