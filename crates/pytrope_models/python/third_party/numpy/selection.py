"""Functions that select, search, count and order elements."""

from _pytrope import (
    array,
    array_like,
    broadcast,
    dtype_of,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    lifted,
    product,
    promote,
    proved,
    require,
    shape_of,
    unknown,
    values_of,
)

from _shapes import as_index, check_axis, element_count, replace_axis

from ._array import ndarray, wrap
from ._convert import as_array_arg, lift_all, sequence
from ._dtypes import KINDS, strong
from ._selection import count_true
from .exceptions import AxisError


@lifted(as_array_arg, "a")
def take(a, indices, axis=None, out=None, mode="raise"):
    return a.take(indices, axis, out, mode)


def take_along_axis(arr, indices, axis=-1):
    a = as_array_arg(arr)
    where = as_array_arg(indices) if is_array(indices) else unknown("indices")
    if is_unknown(a) or is_unknown(where) or axis is None:
        return unknown("take_along_axis of an unknown array")
    shape, given = shape_of(a), shape_of(where)
    if not has_rank(shape) or not has_rank(given):
        return unknown("take_along_axis of an unknown rank")
    one = check_axis(axis, len(shape), AxisError, shape)
    if is_unknown(one):
        return array(ndarray, one, dtype_of(a))
    require(
        len(given) == len(shape),
        ValueError,
        f"indices of shape {given} and an array of shape {shape} must have one rank",
        rule="shape-argument",
    )
    sizes = []
    for position in range(len(shape)):
        if position == one:
            sizes.append(given[position])
        else:
            sizes.append(broadcast((shape[position],), (given[position],), error=IndexError)[0])
    return array(ndarray, tuple(sizes), dtype_of(a))


def where(condition, /, *choices):
    mask = as_array_arg(condition)
    if is_unknown(mask) or not has_rank(choices):
        return unknown("where with an unknown condition")
    if len(choices) == 0:
        return mask.nonzero()
    if len(choices) == 1:
        require(False, ValueError, "either both or neither of x and y should be given", rule="wrong-arguments")
    if len(choices) > 2:
        require(False, TypeError, "where() takes at most three arguments", rule="wrong-arguments")
    a, first, _ = array_like(choices[0])
    b, second, _ = array_like(choices[1])
    if is_unknown(a) or is_unknown(b):
        return unknown("where with an unknown choice")
    return array(ndarray, broadcast(shape_of(mask), a, b), strong(promote(first, second)))


@lifted(as_array_arg, "a")
def nonzero(a):
    return a.nonzero()


@lifted(as_array_arg, "a")
def flatnonzero(a):
    return array(ndarray, (count_true(values_of(a)),), "int64")


@lifted(as_array_arg, "a")
def argwhere(a):
    shape = shape_of(a)
    rank = len(shape) if has_rank(shape) else unknown("the rank of an array")
    return array(ndarray, (count_true(values_of(a)), rank), "int64")


@lifted(as_array_arg, "a")
def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    if axis is None:
        return array(ndarray, (element_count(shape_of(a)),), dtype_of(a))
    if has_rank(shape_of(a)):
        check_axis(axis, len(shape_of(a)), AxisError, shape_of(a))
    return array(ndarray, shape_of(a), dtype_of(a))


@lifted(as_array_arg, "a")
def sort_complex(a):
    return array(ndarray, shape_of(a), unknown("a complex dtype"))


@lifted(as_array_arg, "a")
def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    return a.argsort(axis)


def lexsort(keys, axis=-1):
    arrays = sequence(keys)
    if is_unknown(arrays) or len(arrays) == 0:
        return unknown("lexsort of unknown keys")
    first = shape_of(arrays[0])
    for one in arrays[1:]:
        if not has_rank(shape_of(one)) or not has_rank(first):
            return unknown("lexsort of unknown keys")
        require(
            len(shape_of(one)) == len(first),
            ValueError,
            f"keys of different shapes: {first} and {shape_of(one)}",
            rule="shape-argument",
        )
        for a, b in zip(first, shape_of(one)):
            require(a == b, ValueError, f"keys of different shapes: {first} and {shape_of(one)}", rule="shape-argument")
    if has_rank(first):
        if len(first) == 0:
            return wrap((), "int64")
        check_axis(axis, len(first), AxisError, first)
    return wrap(first, "int64")


def partitioned(a, kth, axis, name):
    """The checks of `partition`: the axis and the position exist."""
    shape = shape_of(a)
    if axis is None:
        return array(ndarray, (element_count(shape),), name)
    if has_rank(shape):
        if len(shape) == 0:
            return unknown("a partition of a single element")
        one = check_axis(axis, len(shape), AxisError, shape)
        if not is_unknown(one) and isinstance(kth, int) and is_constant(shape[one]) and shape[one] > 0:
            size = shape[one]
            require(
                -size <= kth and kth < size,
                ValueError,
                f"position {kth} is out of bounds for size {size}",
                rule="index-out-of-bounds",
            )
    return array(ndarray, shape, name)


@lifted(as_array_arg, "a")
def partition(a, kth, axis=-1, kind="introselect", order=None):
    return partitioned(a, kth, axis, dtype_of(a))


@lifted(as_array_arg, "a")
def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    return partitioned(a, kth, axis, "int64")


@lifted(as_array_arg, "ar")
def unique(
    ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True
):
    if not is_constant(return_index) or not is_constant(return_inverse) or not is_constant(return_counts):
        return unknown("unique with unknown options")
    shape = shape_of(ar)
    count = unknown("the number of different elements")
    if axis is None:
        result = array(ndarray, (count,), dtype_of(ar))
    elif has_rank(shape):
        one = check_axis(axis, len(shape), AxisError, shape)
        if is_unknown(one):
            return one
        result = array(ndarray, replace_axis(shape, one, count), dtype_of(ar))
    else:
        result = array(ndarray, shape, dtype_of(ar))
    extra = []
    if return_index:
        extra.append(array(ndarray, (unknown("the number of different elements"),), "int64"))
    if return_inverse:
        extra.append(array(ndarray, shape if axis is None else unknown("the shape of an inverse"), "int64"))
    if return_counts:
        extra.append(array(ndarray, (unknown("the number of different elements"),), "int64"))
    if len(extra) == 0:
        return result
    return (result,) + tuple(extra)


def unique_values(x):
    return unique(x)


@lifted(as_array_arg, "a")
def searchsorted(a, v, side="left", sorter=None):
    return a.searchsorted(v, side, sorter)


def digitize(x, bins, right=False):
    edges = as_array_arg(bins)
    given, _, _ = array_like(x)
    if is_unknown(edges) or is_unknown(given):
        return unknown("digitize of an unknown array")
    if has_rank(shape_of(edges)):
        require(
            len(shape_of(edges)) == 1,
            ValueError,
            f"bins must be a vector, not shape {shape_of(edges)}",
            rule="shape-argument",
        )
    return wrap(given, "int64")


def bin_count(bins):
    """How many bins an argument of `histogram` asks for."""
    if not is_array(bins) or shape_of(bins) == ():
        bins = as_index(bins)
    if isinstance(bins, str) or is_unknown(bins):
        return unknown("a number of bins")
    if isinstance(bins, float):
        raise TypeError("bins must be an integer, a string, or a vector")
    if isinstance(bins, int):
        require(bins >= 1, ValueError, f"the number of bins must be positive, not {bins}", rule="shape-argument")
        return bins
    given, _, _ = array_like(bins)
    if is_unknown(given) or not has_rank(given):
        return unknown("a number of bins")
    require(len(given) == 1, ValueError, f"bins must be a number or a vector, not shape {given}", rule="shape-argument")
    if is_unknown(given[0]):
        return unknown("a number of bins")
    return given[0] - 1


def plus_one(count):
    """A number of edges from a number of bins."""
    if is_unknown(count):
        return unknown("a number of edges")
    return count + 1


def edge_dtype(bins):
    """The dtype of edges: their own when given."""
    if isinstance(bins, int):
        return "float64"
    if isinstance(bins, str) or is_unknown(bins):
        return unknown("the dtype of edges")
    _, name, _ = array_like(bins)
    return strong(name)


def histogram(a, bins=10, range=None, density=None, weights=None):
    a = as_array_arg(a)
    count = bin_count(bins)
    name = "int64"
    if weights is not None:
        w = as_array_arg(weights)
        if is_unknown(w):
            name = unknown("the dtype of weights")
        else:
            name = dtype_of(w)
            if not is_unknown(a) and has_rank(shape_of(a)) and has_rank(shape_of(w)):
                require(
                    len(shape_of(a)) == len(shape_of(w)),
                    ValueError,
                    f"weights of shape {shape_of(w)} do not fit data of shape {shape_of(a)}",
                    rule="shape-argument",
                )
                for have, need in zip(shape_of(w), shape_of(a)):
                    require(
                        have == need,
                        ValueError,
                        f"weights of shape {shape_of(w)} do not fit data of shape {shape_of(a)}",
                        rule="shape-argument",
                    )
    if density is not None and density is not False:
        name = "float64" if density is True else unknown("density is not known")
    return (array(ndarray, (count,), name), array(ndarray, (plus_one(count),), edge_dtype(bins)))


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    if range is not None and not isinstance(range, (list, tuple)):
        return unknown("edges within limits that may be arrays")
    return array(ndarray, (plus_one(bin_count(bins)),), edge_dtype(bins))


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    a, b = as_array_arg(x), as_array_arg(y)
    if not is_unknown(a) and not is_unknown(b) and has_rank(shape_of(a)) and has_rank(shape_of(b)):
        if len(shape_of(a)) == 1 and len(shape_of(b)) == 1:
            require(
                shape_of(a)[0] == shape_of(b)[0],
                ValueError,
                f"x and y must have one length: {shape_of(a)} and {shape_of(b)}",
                rule="shape-argument",
            )
    if isinstance(bins, (list, tuple)) and len(bins) == 2:
        rows, columns = bin_count(bins[0]), bin_count(bins[1])
    elif isinstance(bins, int):
        rows = columns = bin_count(bins)
    else:
        rows = columns = unknown("a number of bins")
    return (
        array(ndarray, (rows, columns), "float64"),
        array(ndarray, (plus_one(rows),), unknown("the dtype of edges")),
        array(ndarray, (plus_one(columns),), unknown("the dtype of edges")),
    )


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    return unknown("a histogram in many dimensions")


def bincount(x, /, weights=None, minlength=0):
    a = as_array_arg(x)
    if is_unknown(a):
        return a
    shape = shape_of(a)
    if has_rank(shape):
        require(len(shape) == 1, ValueError, f"bincount needs a vector, not shape {shape}", rule="shape-argument")
        count = shape[0]
        # Lists of whole floats are converted; only an array has a type of its own.
        if is_array(x) and not is_unknown(dtype_of(a)) and is_constant(count) and count > 0:
            require(
                KINDS[dtype_of(a)] in "iub",
                TypeError,
                f"bincount needs integers, not {dtype_of(a)}",
                rule="bad-operand",
            )
    values = values_of(a)
    length = unknown("the number of counts")
    if values is not None:
        highest = -1
        for value in values:
            if not is_constant(value) or not isinstance(value, int):
                highest = None
                break
            require(value >= 0, ValueError, "bincount needs non-negative integers", rule="shape-argument")
            highest = max(highest, value)
        if highest is not None and is_constant(minlength):
            length = max(highest + 1, minlength)
    if weights is not None:
        w = as_array_arg(weights)
        if is_unknown(w):
            return array(ndarray, (length,), "float64")
        if has_rank(shape) and has_rank(shape_of(w)) and len(shape_of(w)) == 1:
            # Without data nothing is weighed, and nothing compared.
            require(
                shape_of(w)[0] == shape[0] or not proved(shape[0] > 0),
                ValueError,
                f"weights of shape {shape_of(w)} do not fit data of shape {shape}",
                rule="shape-argument",
            )
        return array(ndarray, (length,), "float64")
    return array(ndarray, (length,), "int64")


@lifted(as_array_arg, "ar1", "ar2")
def set_operation(ar1, ar2):
    """Sets of two arrays: a vector of unknown length."""
    return array(ndarray, (unknown("the number of elements of a set"),), unknown("the dtype of a set"))


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    if return_indices is not False:
        return unknown("an intersection with indices")
    return set_operation(ar1, ar2)


def union1d(ar1, ar2):
    return set_operation(ar1, ar2)


def setdiff1d(ar1, ar2, assume_unique=False):
    return set_operation(ar1, ar2)


def setxor1d(ar1, ar2, assume_unique=False):
    return set_operation(ar1, ar2)


@lifted(as_array_arg, "element")
def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    return array(ndarray, shape_of(element), "bool")


@lifted(as_array_arg, "a")
def compress(condition, a, axis=None, out=None):
    given, _, values = array_like(condition)
    if has_rank(given):
        require(
            len(given) == 1, ValueError, f"the condition must be a vector, not shape {given}", rule="shape-argument"
        )
    result = a.compress(condition, axis, out)
    return result


@lifted(as_array_arg, "arr")
def extract(condition, arr):
    return array(ndarray, (unknown("a number of chosen elements"),), dtype_of(arr))


def choose(a, choices, out=None, mode="raise"):
    return unknown("choose is not modelled")


def select(condlist, choicelist, default=0):
    if (
        not isinstance(condlist, (list, tuple))
        or not isinstance(choicelist, (list, tuple))
        or not has_rank(condlist)
        or not has_rank(choicelist)
    ):
        return unknown("select with unknown lists")
    require(
        len(condlist) == len(choicelist),
        ValueError,
        f"conditions and choices differ in number: {len(condlist)} ≠ {len(choicelist)}",
        rule="shape-argument",
    )
    shapes = []
    names = []
    for one in list(condlist) + list(choicelist) + [default]:
        given, name, _ = array_like(one)
        if is_unknown(given):
            return unknown("select with an unknown choice")
        shapes.append(given)
        names.append(name)
    choice = names[len(condlist) :]
    common = promote(*choice)
    return array(ndarray, broadcast(*shapes), strong(common))


@lifted(as_array_arg, "x")
def piecewise(x, condlist, funclist, *args, **kw):
    return array(ndarray, shape_of(x), dtype_of(x))


def ndenumerate(arr):
    return unknown("an iterator over positions and elements")


def ndindex(*shape):
    return unknown("an iterator over positions")


def nditer(*args, **kwargs):
    return unknown("an iterator over elements")
