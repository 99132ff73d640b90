"""tf.keras.datasets is keras.datasets."""

from keras.datasets import *
