"""tf.keras.applications.densenet is keras.applications.densenet."""

from keras.applications.densenet import *
