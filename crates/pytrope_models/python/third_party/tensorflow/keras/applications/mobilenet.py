"""tf.keras.applications.mobilenet is keras.applications.mobilenet."""

from keras.applications.mobilenet import *
