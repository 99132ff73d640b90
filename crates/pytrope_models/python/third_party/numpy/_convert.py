"""Arguments of functions as arrays."""

from _pytrope import array, array_like, is_array, is_constant, is_unknown, unknown

from ._array import _Array, ndarray
from ._dtypes import strong
from ._layout import integers_only
from ._types import dtype_name


def as_array_arg(x):
    """An argument as an array; Unknown for anything that may be a duck array."""
    if is_unknown(x):
        return x
    if is_array(x, _Array):
        return x
    if is_array(x):
        return unknown("an array of another library")
    shape, name, values = array_like(x)
    if is_unknown(shape):
        return unknown("an argument that is not known to be an array")
    return array(ndarray, shape, strong(name), values)


def lift_all(xs):
    """A sequence of arguments as a list of arrays; Unknown when one of them is."""
    arrays = []
    for x in xs:
        one = as_array_arg(x)
        if is_unknown(one):
            return one
        arrays.append(one)
    return arrays


def sequence(xs):
    """The arrays of a list, tuple or array, as a list; Unknown when their number is not known."""
    if is_unknown(xs):
        return xs
    if is_array(xs, _Array):
        shape = xs.shape
        if len(shape) == 0:
            raise TypeError("iteration over a 0-d array")
        if not is_constant(shape[0]) or shape[0] > 32:
            return unknown("an unknown number of arrays")
        return [xs[row] for row in range(shape[0])]
    if isinstance(xs, (list, tuple)):
        return lift_all(xs)
    return unknown("a sequence of arrays that is not known")
