"""sklearn.tree."""

from _pytrope import unknown

from ._base import Predictor


class DecisionTreeClassifier(Predictor):
    pass


class DecisionTreeRegressor(Predictor):
    pass


def __getattr__(name):
    return unknown(name)
