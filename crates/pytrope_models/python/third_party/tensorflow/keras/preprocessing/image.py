"""tf.keras.preprocessing.image is keras.preprocessing.image."""

from keras.preprocessing.image import *
