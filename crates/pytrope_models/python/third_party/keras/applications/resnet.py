"""keras.applications.resnet."""

from _pytrope import unknown

from keras.applications import ResNet50, ResNet101, ResNet152, preprocess_input


def __getattr__(name):
    return unknown(name)
