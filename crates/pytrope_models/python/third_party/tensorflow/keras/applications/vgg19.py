"""tf.keras.applications.vgg19 is keras.applications.vgg19."""

from keras.applications.vgg19 import *
