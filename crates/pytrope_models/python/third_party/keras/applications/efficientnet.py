"""keras.applications.efficientnet."""

from _pytrope import unknown

from keras.applications import EfficientNetB0, preprocess_input


def __getattr__(name):
    return unknown(name)
