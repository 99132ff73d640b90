"""tf.keras.applications.efficientnet is keras.applications.efficientnet."""

from keras.applications.efficientnet import *
