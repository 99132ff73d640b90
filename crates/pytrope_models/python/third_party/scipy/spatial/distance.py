"""`scipy.spatial.distance`: distances between points."""

from _pytrope import array, is_constant, is_unknown, require, shape_of, unknown

from numpy import ndarray

from .._arguments import ranked_arg


def two_point_sets(a, b, what):
    """Distances between the rows of two matrices."""
    a, b = ranked_arg(a), ranked_arg(b)
    if is_unknown(a) or is_unknown(b):
        return unknown("distances between unknown points")
    for one in (a, b):
        if what == "cdist":
            require(
                len(shape_of(one)) == 2,
                ValueError,
                f"{what} takes matrices of points, not shape {shape_of(one)}",
                rule="shape-argument",
            )
        elif len(shape_of(one)) != 2:
            return unknown("distances between values that are not rows")
    left, right = shape_of(a)[1], shape_of(b)[1]
    require(
        left == right,
        ValueError,
        f"{what} of points that differ in their number of coordinates: {left} ≠ {right}",
        rule="shape-argument",
    )
    return array(ndarray, (shape_of(a)[0], shape_of(b)[0]), "float64")


def cdist(XA, XB, metric="euclidean", *, out=None, **options):
    made = two_point_sets(XA, XB, "cdist")
    return made if out is None else unknown("distances in a given array")


def pdist(X, metric="euclidean", *, out=None, **options):
    points = ranked_arg(X)
    if is_unknown(points):
        return unknown("distances between unknown points")
    require(
        len(shape_of(points)) == 2,
        ValueError,
        f"pdist takes a matrix of points, not shape {shape_of(points)}",
        rule="shape-argument",
    )
    count = shape_of(points)[0]
    return array(ndarray, (count * (count - 1) // 2,), "float64") if out is None else unknown("distances in an array")


def two_vectors(u, v, what):
    """Two vectors of one length."""
    u, v = ranked_arg(u), ranked_arg(v)
    if is_unknown(u) or is_unknown(v) or len(shape_of(u)) != 1 or len(shape_of(v)) != 1:
        return unknown("a distance")
    a, b = shape_of(u)[0], shape_of(v)[0]
    # One coordinate is repeated.
    if is_constant(a) and is_constant(b) and a != 1 and b != 1:
        require(
            a == b,
            ValueError,
            f"{what} distance of vectors that differ in length: {a} ≠ {b}",
            rule="broadcast-mismatch",
        )
    return unknown("a distance")


def euclidean(u, v, w=None):
    return two_vectors(u, v, "euclidean")


def sqeuclidean(u, v, w=None):
    return two_vectors(u, v, "sqeuclidean")


def cosine(u, v, w=None):
    return two_vectors(u, v, "cosine")


def cityblock(u, v, w=None):
    return two_vectors(u, v, "cityblock")


def chebyshev(u, v, w=None):
    return two_vectors(u, v, "chebyshev")


def correlation(u, v, w=None, centered=True):
    return two_vectors(u, v, "correlation")


def squareform(X, force="no", checks=True):
    """A vector of distances as a matrix, and the other way round."""
    given = ranked_arg(X)
    if is_unknown(given) or force != "no" or len(shape_of(given)) != 1 or not is_constant(shape_of(given)[0]):
        return unknown("distances in an unsupported form")
    size = shape_of(given)[0]
    side = 1
    while side * (side - 1) // 2 < size and side < 2000:
        side += 1
    if side == 2000:
        return unknown("distances of many points")
    require(
        side * (side - 1) // 2 == size,
        ValueError,
        f"squareform: {size} distances are not those between the pairs of some number of points",
        rule="shape-argument",
    )
    return array(ndarray, (side, side), "float64") if side > 1 else unknown("distances of one point")
