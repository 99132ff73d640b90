"""keras.applications.mobilenet_v2."""

from _pytrope import unknown

from keras.applications import MobileNetV2, preprocess_input


def __getattr__(name):
    return unknown(name)
