"""keras.applications.resnet_v2."""

from _pytrope import unknown

from keras.applications import ResNet50V2, ResNet101V2, preprocess_input


def __getattr__(name):
    return unknown(name)
