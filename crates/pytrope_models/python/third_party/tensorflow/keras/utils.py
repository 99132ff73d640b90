"""tf.keras.utils is keras.utils."""

from keras.utils import *
