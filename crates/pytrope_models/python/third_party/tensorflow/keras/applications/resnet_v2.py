"""tf.keras.applications.resnet_v2 is keras.applications.resnet_v2."""

from keras.applications.resnet_v2 import *
