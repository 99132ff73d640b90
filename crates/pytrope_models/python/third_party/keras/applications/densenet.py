"""keras.applications.densenet."""

from _pytrope import unknown

from keras.applications import DenseNet121, DenseNet169, DenseNet201, preprocess_input


def __getattr__(name):
    return unknown(name)
