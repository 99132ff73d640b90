"""sklearn.ensemble."""

from _pytrope import unknown

from ._base import Predictor


class RandomForestClassifier(Predictor):
    pass


class RandomForestRegressor(Predictor):
    pass


class GradientBoostingClassifier(Predictor):
    pass


class GradientBoostingRegressor(Predictor):
    pass


class ExtraTreesClassifier(Predictor):
    pass


class ExtraTreesRegressor(Predictor):
    pass


def __getattr__(name):
    return unknown(name)
