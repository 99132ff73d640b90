"""keras.applications.xception."""

from _pytrope import unknown

from keras.applications import Xception, preprocess_input


def __getattr__(name):
    return unknown(name)
