"""`numpy.lib.stride_tricks`."""

from _pytrope import array, dtype_of, has_rank, is_constant, is_unknown, lifted, require, shape_of, unknown

from _shapes import as_sizes, check_axis

from .._array import ndarray
from .._convert import as_array_arg
from .._layout import read_only
from ..exceptions import AxisError
from ..manipulation import broadcast_shapes, broadcast_to, broadcast_arrays


@lifted(as_array_arg, "x")
def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    return array(ndarray, shape_of(x) if shape is None else as_sizes(shape), dtype_of(x))


@lifted(as_array_arg, "x")
def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    shape = shape_of(x)
    window = as_sizes(window_shape)
    if not has_rank(shape) or not has_rank(window):
        return array(ndarray, unknown("unknown windows"), dtype_of(x))
    if axis is None:
        axes = list(range(len(shape)))
    elif isinstance(axis, (tuple, list)):
        axes = [check_axis(one, len(shape), AxisError, shape) for one in axis]
    else:
        axes = [check_axis(axis, len(shape), AxisError, shape)]
    require(
        len(window) == len(axes),
        ValueError,
        f"a window {window} of {len(window)} sizes does not fit {len(axes)} axes of shape {shape}",
        rule="shape-argument",
    )
    sizes = list(shape)
    for one, width in zip(axes, window):
        if is_unknown(one):
            return array(ndarray, unknown("windows along unknown axes"), dtype_of(x))
        if is_unknown(width) or is_unknown(sizes[one]):
            sizes[one] = unknown("a number of windows")
        else:
            require(
                width <= sizes[one],
                ValueError,
                f"a window of {width} is larger than axis {one} of shape {shape}",
                rule="shape-argument",
            )
            sizes[one] = sizes[one] - width + 1
    made = array(ndarray, tuple(sizes) + tuple(window), dtype_of(x))
    return read_only(made) if writeable is False else made
