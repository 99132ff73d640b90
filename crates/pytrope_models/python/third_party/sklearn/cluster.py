"""sklearn.cluster."""

from _pytrope import is_constant, is_unknown, require, shape_of, unknown

from ._base import Clusterer, matrix


class KMeans(Clusterer):
    """Clusters around a given number of centres."""

    def __init__(self, n_clusters=8, *args, **options):
        super().__init__()
        self.n_clusters = n_clusters

    def _pytrope_fit(self, X, y=None):
        super()._pytrope_fit(X)
        given = matrix(X)
        count = self.n_clusters
        if not is_unknown(given) and is_constant(count) and isinstance(count, int):
            samples = shape_of(given)[0]
            require(
                samples >= count,
                ValueError,
                f"{count} clusters need as many samples, but there are {samples}",
                rule="shape-argument",
            )


class MiniBatchKMeans(KMeans):
    pass


class DBSCAN(Clusterer):
    pass


class AgglomerativeClustering(Clusterer):
    pass


def __getattr__(name):
    return unknown(name)
