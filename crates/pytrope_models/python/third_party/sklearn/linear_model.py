"""sklearn.linear_model."""

from _pytrope import unknown

from ._base import Predictor


class LinearRegression(Predictor):
    pass


class Ridge(Predictor):
    pass


class Lasso(Predictor):
    pass


class ElasticNet(Predictor):
    pass


class LogisticRegression(Predictor):
    pass


class SGDClassifier(Predictor):
    pass


class SGDRegressor(Predictor):
    pass


class Perceptron(Predictor):
    pass


def __getattr__(name):
    return unknown(name)
