"""`scipy.spatial`: distances and trees of points."""

from _pytrope import array, is_constant, is_unknown, require, shape_of, unknown

from numpy import ndarray

from .._arguments import is_count, ranked_arg
from .distance import two_point_sets


def distance_matrix(x, y, p=2, threshold=1000000):
    return two_point_sets(x, y, "distance_matrix")


class KDTree:
    """A tree of points; a question has as many coordinates."""

    def __init__(self, data, leafsize=10, *args, **options):
        points = ranked_arg(data)
        self._pytrope_coordinates = unknown("a number of coordinates")
        if not is_unknown(points):
            require(
                len(shape_of(points)) == 2,
                ValueError,
                f"a tree takes a matrix of points, not shape {shape_of(points)}",
                rule="shape-argument",
            )
            self._pytrope_coordinates = shape_of(points)[1]

    def __getattr__(self, name):
        return unknown("a part of a tree that is not modelled")

    def query(self, x, k=1, eps=0, p=2, distance_upper_bound=None, workers=1):
        points = ranked_arg(x)
        wanted = self._pytrope_coordinates
        if is_unknown(points) or len(shape_of(points)) == 0:
            return unknown("distances"), unknown("indices")
        shape = shape_of(points)
        if not is_unknown(wanted):
            require(
                shape[-1] == wanted,
                ValueError,
                f"the tree has points of {wanted} coordinates, but the query has shape {shape}",
                rule="shape-argument",
            )
        if not is_count(k) or k < 1:
            return unknown("distances"), unknown("indices")
        result = shape[:-1] if k == 1 else shape[:-1] + (k,)
        if result == ():
            return unknown("a distance"), unknown("an index")
        return array(ndarray, result, "float64"), array(ndarray, result, "int64")


class cKDTree(KDTree):
    pass
