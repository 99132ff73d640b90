"""tf.keras.applications.resnet50 is keras.applications.resnet50."""

from keras.applications.resnet50 import *
