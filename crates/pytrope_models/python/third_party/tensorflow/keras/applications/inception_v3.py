"""tf.keras.applications.inception_v3 is keras.applications.inception_v3."""

from keras.applications.inception_v3 import *
