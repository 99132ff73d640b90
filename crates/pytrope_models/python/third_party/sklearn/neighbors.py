"""sklearn.neighbors."""

from _pytrope import unknown

from ._base import Predictor


class KNeighborsClassifier(Predictor):
    pass


class KNeighborsRegressor(Predictor):
    pass


def __getattr__(name):
    return unknown(name)
