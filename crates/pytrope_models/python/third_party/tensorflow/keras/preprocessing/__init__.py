"""tf.keras.preprocessing is keras.preprocessing."""

from keras.preprocessing import *
