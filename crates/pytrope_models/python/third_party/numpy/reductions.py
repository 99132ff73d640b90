"""Reductions as functions, their NaN-ignoring variants, and order statistics."""

from _pytrope import (
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

from _shapes import as_index, check_axes, check_axis, reduce_shape

from ._array import ndarray, wrap
from ._convert import as_array_arg
from ._dtypes import KINDS, mean_of, real_of, strong, sum_of
from ._out import into
from ._reductions import accumulate, nonempty, reduction, scalar_axis
from .exceptions import AxisError


@lifted(as_array_arg, "a")
def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True):
    return a.sum(axis, dtype, out, keepdims, initial, where)


@lifted(as_array_arg, "a")
def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True):
    return a.prod(axis, dtype, out, keepdims, initial, where)


@lifted(as_array_arg, "a")
def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    return a.mean(axis, dtype, out, keepdims, where=where)


@lifted(as_array_arg, "a")
def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=0):
    return a.std(axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)


@lifted(as_array_arg, "a")
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=0):
    return a.var(axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)


@lifted(as_array_arg, "a")
def max(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    return a.max(axis, out, keepdims, initial, where)


@lifted(as_array_arg, "a")
def min(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    return a.min(axis, out, keepdims, initial, where)


amax = max
amin = min


@lifted(as_array_arg, "a")
def ptp(a, axis=None, out=None, keepdims=False):
    if out is not None:
        return into(out)
    if not is_unknown(dtype_of(a)) and dtype_of(a) == "bool":
        require(False, TypeError, "ptp is not defined for booleans", rule="bad-operand")
    nonempty(a, axis, "the range")
    return reduction(a, axis, dtype_of(a), out, keepdims, True, True)


@lifted(as_array_arg, "a")
def any(a, axis=None, out=None, keepdims=False, *, where=True):
    return a.any(axis, out, keepdims, where=where)


@lifted(as_array_arg, "a")
def all(a, axis=None, out=None, keepdims=False, *, where=True):
    return a.all(axis, out, keepdims, where=where)


@lifted(as_array_arg, "a")
def argmax(a, axis=None, out=None, *, keepdims=False):
    return a.argmax(axis, out, keepdims=keepdims)


@lifted(as_array_arg, "a")
def argmin(a, axis=None, out=None, *, keepdims=False):
    return a.argmin(axis, out, keepdims=keepdims)


@lifted(as_array_arg, "a")
def cumsum(a, axis=None, dtype=None, out=None):
    return a.cumsum(axis, dtype, out)


@lifted(as_array_arg, "a")
def cumprod(a, axis=None, dtype=None, out=None):
    return a.cumprod(axis, dtype, out)


@lifted(as_array_arg, "a")
def count_nonzero(a, axis=None, *, keepdims=False):
    if axis is None and keepdims is False:
        return unknown("a number of nonzero elements")
    return reduction(a, axis, "int64", None, keepdims, True, True)


def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True):
    return sum(a, axis, dtype, out, keepdims, initial, where)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True):
    return prod(a, axis, dtype, out, keepdims, initial, where)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    return mean(a, lenient_axis(a, axis), dtype, out, keepdims, where=where)


def lenient_axis(a, axis):
    """Functions that skip NaN take axis 0 or -1 of a scalar."""
    a = as_array_arg(a)
    return axis if is_unknown(a) else scalar_axis(a, axis)


def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=0):
    return std(a, lenient_axis(a, axis), dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)


def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=0):
    return var(a, lenient_axis(a, axis), dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)


def nanmax(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    return max(a, axis, out, keepdims, initial, where)


def nanmin(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    return min(a, axis, out, keepdims, initial, where)


def nanargmax(a, axis=None, out=None, *, keepdims=False):
    return argmax(a, axis, out, keepdims=keepdims)


def nanargmin(a, axis=None, out=None, *, keepdims=False):
    return argmin(a, axis, out, keepdims=keepdims)


def nancumsum(a, axis=None, dtype=None, out=None):
    return cumsum(a, axis, dtype, out)


def nancumprod(a, axis=None, dtype=None, out=None):
    return cumprod(a, axis, dtype, out)


@lifted(as_array_arg, "a")
def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    if out is not None:
        return into(out)
    return reduction(a, axis, mean_of(dtype_of(a)), out, keepdims)


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    return median(a, axis, out, overwrite_input, keepdims)


def quantiles(a, q, axis, out, keepdims, top):
    """`percentile` and `quantile`: the shape of q comes first."""
    if out is not None:
        return into(out)
    a = as_array_arg(a)
    points, _, values = array_like(q)
    if is_unknown(a) or is_unknown(points):
        return unknown("a quantile of an unknown array")
    if values is not None:
        for value in values:
            if is_constant(value) and isinstance(value, (int, float)):
                require(
                    0 <= value and value <= top,
                    ValueError,
                    f"a quantile must lie between 0 and {top}, not {value}",
                    rule="shape-argument",
                )
    left = reduce_shape(shape_of(a), axis, keepdims, AxisError)
    name = mean_of(dtype_of(a))
    if not is_unknown(name) and not is_array(q) and not isinstance(q, (int, float)):
        name = promote(name, "float64")
    if is_array(q):
        name = (
            promote(name, dtype_of(q))
            if not is_unknown(name) and not is_unknown(dtype_of(q))
            else unknown("the dtype of a quantile")
        )
    if not has_rank(left) or not has_rank(points):
        return unknown("a quantile over unknown axes")
    return wrap(tuple(points) + left, name)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    return quantiles(a, q, axis, out, keepdims, 100)


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    return quantiles(a, q, axis, out, keepdims, 1)


def nan_quantiles(a, q, axis, out, keepdims, top):
    """As `quantiles`; NumPy orders the axes otherwise when q is a matrix and the axes are several."""
    result = quantiles(a, q, axis, out, keepdims, top)
    shape, _, _ = array_like(a)
    if has_rank(shape) and proved(product(shape) == 0):
        # Of nothing they give one NaN, whatever is asked for.
        return unknown("a quantile of an empty array")
    if isinstance(axis, (tuple, list)):
        points, _, _ = array_like(q)
        if not has_rank(points) or len(points) > 1:
            return unknown("a quantile over several axes")
    return result


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    return nan_quantiles(a, q, axis, out, keepdims, 100)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    return nan_quantiles(a, q, axis, out, keepdims, 1)


@lifted(as_array_arg, "a")
def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    name = mean_of(dtype_of(a))
    if weights is not None:
        w = as_array_arg(weights)
        if is_unknown(w):
            return unknown("an average with unknown weights")
        own, given = shape_of(a), shape_of(w)
        if not is_unknown(name) and not is_unknown(dtype_of(w)):
            name = mean_of(promote(name, dtype_of(w)))
        else:
            name = unknown("the dtype of an average")
        if has_rank(own) and has_rank(given):
            weights_fit(own, given, axis)
    result = reduction(a, axis, name, None, keepdims)
    if not is_constant(returned):
        return unknown("an average, perhaps with the sum of its weights")
    if not returned:
        return result
    return (result, reduction(a, axis, name, None, keepdims))


def weights_fit(own, given, axis):
    """Weights have the array's shape, or that of the averaged axes."""
    if axis is None:
        same = len(own) == len(given)
        require(
            same,
            TypeError,
            f"weights of shape {given} do not fit an array of shape {own}: name an axis",
            rule="broadcast-mismatch",
        )
        for a, b in zip(own, given):
            require(
                a == b,
                TypeError,
                f"weights of shape {given} do not fit an array of shape {own}",
                rule="broadcast-mismatch",
            )
        return
    axes = check_axes(axis, len(own), AxisError, own)
    if is_unknown(axes) or len(given) == len(own):
        return
    require(
        len(given) == len(axes),
        ValueError,
        f"weights of shape {given} do not fit axes {axis} of shape {own}",
        rule="broadcast-mismatch",
    )
    for one, size in zip(axes, given):
        require(
            own[one] == size,
            ValueError,
            f"weights of shape {given} do not fit axis {one} of shape {own}",
            rule="broadcast-mismatch",
        )


@lifted(as_array_arg, "m")
def covariance(m, y, rowvar, name):
    """The shape of `cov` and `corrcoef`."""
    shape = shape_of(m)
    if not has_rank(shape) or not is_constant(rowvar):
        return unknown("the covariance of an unknown array")
    require(len(shape) <= 2, ValueError, f"covariance needs at most rank 2, not shape {shape}", rule="shape-argument")
    rows, columns = sides(shape, rowvar)
    if y is not None:
        y = as_array_arg(y)
        if is_unknown(y) or not has_rank(shape_of(y)):
            return unknown("the covariance of an unknown array")
        other = shape_of(y)
        require(
            len(other) <= 2, ValueError, f"covariance needs at most rank 2, not shape {other}", rule="shape-argument"
        )
        more, second = sides(other, rowvar)
        require(
            columns == second or not proved(rows > 0),
            ValueError,
            f"the numbers of observations differ, {columns} ≠ {second}: shapes {shape} and {other}",
            rule="concat-mismatch",
        )
        rows = rows + more
    if is_constant(rows) and rows == 0:
        return m._array((0, 0), "float64")
    if is_constant(rows) and rows == 1 and y is None:
        return covariance_scalar(m, name)
    if not is_constant(rows):
        return unknown("a covariance that may be a single number")
    return m._array((rows, rows), name)


def covariance_scalar(m, name):
    """One variable gives a rank-0 covariance."""
    return unknown("the variance of one variable")


def sides(shape, rowvar):
    """Variables and observations of an argument of `cov`."""
    if len(shape) == 0:
        return 1, 1
    if len(shape) == 1:
        return 1, shape[0]
    if rowvar or (is_constant(shape[0]) and shape[0] == 1):
        return shape[0], shape[1]
    return shape[1], shape[0]


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    return covariance(m, y, rowvar, unknown("the dtype of a covariance") if dtype is not None else "float64")


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    return covariance(x, y, rowvar, unknown("the dtype of a correlation") if dtype is not None else "float64")
