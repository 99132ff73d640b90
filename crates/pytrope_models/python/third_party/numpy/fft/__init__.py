"""`numpy.fft`: the shapes of discrete Fourier transforms."""

from _pytrope import array, dtype_of, has_rank, is_constant, is_unknown, lifted, require, shape_of, unknown

from _shapes import as_index, as_sizes, check_axis, check_axes, replace_axis

from .._array import ndarray
from .._convert import as_array_arg
from .._dtypes import complex_of, mean_of, real_of
from ..exceptions import AxisError


def real_result(a):
    """The real type of a transform's result."""
    return real_of(complex_of(dtype_of(a)))


def points(n, size):
    """The number of points of a transform along one axis."""
    n = as_index(n)
    if n is None:
        n = size
    if is_constant(n) and n == -1:
        return size
    if not is_unknown(n):
        require(n >= 1, ValueError, f"a transform needs at least one point, not {n}", rule="shape-argument")
    return n


def halved(n):
    """Non-negative frequencies among n points."""
    if is_unknown(n):
        return unknown("the number of frequencies")
    return n // 2 + 1


def doubled(n, size):
    """Points of the inverse of a real transform."""
    if n is not None:
        return points(n, size)
    if is_unknown(size):
        return size
    return points(2 * (size - 1), size)


@lifted(as_array_arg, "a")
def one_axis(a, n, axis, kind):
    """A transform along one axis."""
    shape = shape_of(a)
    name = real_result(a) if kind == "real out" else complex_of(dtype_of(a))
    if not has_rank(shape):
        return array(ndarray, shape, name)
    if n is not None:
        points(n, 1)
    if len(shape) == 0:
        require(
            False,
            AxisError if n is not None else IndexError,
            "a transform needs at least a vector",
            rule="axis-out-of-range",
        )
    if is_constant(axis) and isinstance(axis, int) and n is None:
        require(
            -len(shape) <= axis and axis < len(shape),
            IndexError,
            f"axis {axis} is out of range for shape {shape}",
            rule="axis-out-of-range",
        )
    one = check_axis(axis, len(shape), AxisError, shape)
    if is_unknown(one):
        return array(ndarray, one, name)
    size = shape[one]
    if kind == "full":
        count = points(n, size)
    elif kind == "half out":
        count = halved(points(n, size))
    else:
        count = doubled(n, size)
    return array(ndarray, replace_axis(shape, one, count), name)


def fft(a, n=None, axis=-1, norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return one_axis(a, n, axis, "full")


def ifft(a, n=None, axis=-1, norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return one_axis(a, n, axis, "full")


def rfft(a, n=None, axis=-1, norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return one_axis(a, n, axis, "half out")


def irfft(a, n=None, axis=-1, norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return one_axis(a, n, axis, "real out")


def hfft(a, n=None, axis=-1, norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return one_axis(a, n, axis, "real out")


def ihfft(a, n=None, axis=-1, norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return one_axis(a, n, axis, "half out")


@lifted(as_array_arg, "a")
def many_axes(a, s, axes, kind):
    """A transform along several axes."""
    shape = shape_of(a)
    name = real_result(a) if kind == "real out" else complex_of(dtype_of(a))
    if not has_rank(shape) or kind == "real out":
        return array(ndarray, unknown("a transform along several axes"), name)
    if s is not None:
        s = as_sizes(s)
        if not has_rank(s):
            return array(ndarray, unknown("a transform of unknown size"), name)
    if axes is None:
        if s is not None:
            return array(ndarray, unknown("a transform of given size"), name)
        axes = list(range(len(shape)))
    if not isinstance(axes, (tuple, list)) or not has_rank(axes):
        return array(ndarray, unknown("a transform along unknown axes"), name)
    for axis in axes:
        if is_constant(axis):
            require(
                -len(shape) <= axis and axis < len(shape),
                IndexError if s is None else AxisError,
                f"axis {axis} is out of range for shape {shape}",
                rule="axis-out-of-range",
            )
        else:
            return array(ndarray, unknown("a transform along unknown axes"), name)
    if len(axes) == 0:
        return a
    sizes = list(shape)
    for place, axis in enumerate(axes):
        sizes[axis] = points(None if s is None else s[place], shape[axis])
    if kind == "half out":
        sizes[axes[-1]] = halved(sizes[axes[-1]])
    return array(ndarray, tuple(sizes), name)


def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return many_axes(a, s, axes, "full")


def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return many_axes(a, s, axes, "full")


def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return many_axes(a, s, axes, "half out")


def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return many_axes(a, s, axes, "real out")


def fftn(a, s=None, axes=None, norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return many_axes(a, s, axes, "full")


def ifftn(a, s=None, axes=None, norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return many_axes(a, s, axes, "full")


def rfftn(a, s=None, axes=None, norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return many_axes(a, s, axes, "half out")


def irfftn(a, s=None, axes=None, norm=None, out=None):
    if out is not None:
        return unknown("a transform written to an array")
    return many_axes(a, s, axes, "real out")


@lifted(as_array_arg, "x")
def shifted(x, axes):
    """A shift keeps the shape; its axes must exist."""
    shape = shape_of(x)
    if axes is not None and has_rank(shape):
        given = axes if isinstance(axes, (tuple, list)) else (axes,)
        for axis in given:
            if is_constant(axis) and isinstance(axis, int):
                require(
                    -len(shape) <= axis and axis < len(shape),
                    IndexError,
                    f"axis {axis} is out of range for shape {shape}",
                    rule="axis-out-of-range",
                )
    return array(ndarray, shape, dtype_of(x))


def fftshift(x, axes=None):
    return shifted(x, axes)


def ifftshift(x, axes=None):
    return shifted(x, axes)


def frequencies(n):
    """A number of samples, which must be an integer."""
    n = as_index(n)
    if isinstance(n, float):
        raise ValueError("the number of samples must be an integer")
    if is_constant(n) and n == 0:
        raise ZeroDivisionError("frequencies need at least one sample")
    return n


def fftfreq(n, d=1.0, device=None):
    return array(ndarray, (frequencies(n),), "float64")


def rfftfreq(n, d=1.0, device=None):
    return array(ndarray, (halved(frequencies(n)),), "float64")
