"""tf.keras.applications.xception is keras.applications.xception."""

from keras.applications.xception import *
