"""sklearn.cluster."""

from _pytrope import unknown

from ._base import Clusterer


class KMeans(Clusterer):
    pass


class MiniBatchKMeans(Clusterer):
    pass


class DBSCAN(Clusterer):
    pass


class AgglomerativeClustering(Clusterer):
    pass


def __getattr__(name):
    return unknown(name)
