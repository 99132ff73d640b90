"""sklearn.svm."""

from _pytrope import unknown

from ._base import Predictor


class SVC(Predictor):
    pass


class SVR(Predictor):
    pass


class LinearSVC(Predictor):
    pass


class LinearSVR(Predictor):
    pass


def __getattr__(name):
    return unknown(name)
