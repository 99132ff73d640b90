"""keras.applications.mobilenet."""

from _pytrope import unknown

from keras.applications import MobileNet, preprocess_input


def __getattr__(name):
    return unknown(name)
