"""sklearn.decomposition."""

from _pytrope import unknown

from ._base import Reducer


class PCA(Reducer):
    pass


class TruncatedSVD(Reducer):
    pass


class NMF(Reducer):
    pass


class FastICA(Reducer):
    pass


def __getattr__(name):
    return unknown(name)
