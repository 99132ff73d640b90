"""sklearn.neural_network."""

from _pytrope import unknown

from ._base import Predictor


class MLPClassifier(Predictor):
    pass


class MLPRegressor(Predictor):
    pass


def __getattr__(name):
    return unknown(name)
