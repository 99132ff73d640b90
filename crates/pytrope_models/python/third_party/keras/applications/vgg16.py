"""keras.applications.vgg16."""

from _pytrope import unknown

from keras.applications import VGG16, preprocess_input


def __getattr__(name):
    return unknown(name)
