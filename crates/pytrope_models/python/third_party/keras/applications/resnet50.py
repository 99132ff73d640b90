"""keras.applications.resnet50."""

from _pytrope import unknown

from keras.applications import ResNet50, preprocess_input


def __getattr__(name):
    return unknown(name)
