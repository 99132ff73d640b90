"""sklearn.decomposition."""

from _pytrope import is_constant, is_unknown, require, shape_of, unknown

from ._base import Reducer, matrix


class PCA(Reducer):
    """Directions of the largest variance, of which there are no more than samples or features."""

    def _pytrope_fit(self, X, y=None):
        super()._pytrope_fit(X, y)
        given = matrix(X)
        count = self.n_components
        if is_unknown(given) or not is_constant(count) or not isinstance(count, int) or isinstance(count, bool):
            return
        for size in shape_of(given):
            if is_constant(size):
                require(
                    count <= size,
                    ValueError,
                    f"{count} components cannot be found in samples of shape {shape_of(given)}",
                    rule="shape-argument",
                )


class TruncatedSVD(Reducer):
    pass


class NMF(Reducer):
    pass


class FastICA(Reducer):
    pass


def __getattr__(name):
    return unknown(name)
