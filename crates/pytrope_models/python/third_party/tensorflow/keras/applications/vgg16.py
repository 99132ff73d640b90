"""tf.keras.applications.vgg16 is keras.applications.vgg16."""

from keras.applications.vgg16 import *
