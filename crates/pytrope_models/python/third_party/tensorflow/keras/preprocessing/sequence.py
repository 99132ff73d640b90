"""tf.keras.preprocessing.sequence is keras.preprocessing.sequence."""

from keras.preprocessing.sequence import *
