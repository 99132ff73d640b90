"""keras.applications.vgg19."""

from _pytrope import unknown

from keras.applications import VGG19, preprocess_input


def __getattr__(name):
    return unknown(name)
