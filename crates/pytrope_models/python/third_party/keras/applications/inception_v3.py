"""keras.applications.inception_v3."""

from _pytrope import unknown

from keras.applications import InceptionV3, preprocess_input


def __getattr__(name):
    return unknown(name)
