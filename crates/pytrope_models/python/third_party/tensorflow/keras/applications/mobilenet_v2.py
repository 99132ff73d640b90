"""tf.keras.applications.mobilenet_v2 is keras.applications.mobilenet_v2."""

from keras.applications.mobilenet_v2 import *
