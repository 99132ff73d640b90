"""sklearn.naive_bayes."""

from _pytrope import unknown

from ._base import Predictor


class GaussianNB(Predictor):
    pass


class MultinomialNB(Predictor):
    pass


class BernoulliNB(Predictor):
    pass


def __getattr__(name):
    return unknown(name)
