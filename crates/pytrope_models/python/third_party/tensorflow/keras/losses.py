"""tf.keras.losses is keras.losses."""

from keras.losses import *
