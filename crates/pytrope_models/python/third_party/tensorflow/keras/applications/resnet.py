"""tf.keras.applications.resnet is keras.applications.resnet."""

from keras.applications.resnet import *
