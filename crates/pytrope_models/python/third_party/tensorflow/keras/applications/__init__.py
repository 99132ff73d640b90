"""tf.keras.applications is keras.applications."""

from keras.applications import *
