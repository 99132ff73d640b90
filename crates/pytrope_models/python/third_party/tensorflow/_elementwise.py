"""tf functions that work on each element, or reduce along axes."""

from _pytrope import dtype_of, is_constant, is_unknown, shape_of, unknown

from ._dtypes import group, written
from ._make import axis_of, converted, like, misfit, ranked
from ._tensor import combine, divided


def mapped(x, dtype=None, name=None, **options):
    """A function of each element that keeps shape and element type."""
    made = converted(x)
    if is_unknown(made):
        return unknown("a function of an unknown tensor")
    return like([made], shape_of(made), dtype_of(made))


def tested(x, name=None):
    made = converted(x)
    if is_unknown(made):
        return unknown("a test of an unknown tensor")
    return like([made], shape_of(made), "bool")


def both(x, y, name=None):
    return combine(x, y)


def compared(x, y, name=None):
    return combine(x, y, "bool")


def quotient(x, y, name=None):
    return divided(x, y)


def reduced(x, axis, keepdims, dtype):
    if not ranked(x) or not is_constant(keepdims):
        return unknown("a reduction of an unknown tensor")
    shape = shape_of(x)
    if axis is None:
        return like([x], tuple([1 for _ in shape]) if keepdims else (), dtype)
    if is_unknown(axis):
        return unknown("a reduction along unknown axes")
    axes = axis if isinstance(axis, (tuple, list)) else [axis]
    places = []
    for one in axes:
        place = axis_of(one, len(shape), misfit(x))
        if is_unknown(place) or place in places:
            return unknown("a reduction along unknown axes")
        places.append(place)
    left = []
    for at, size in enumerate(shape):
        if at not in places:
            left.append(size)
        elif keepdims:
            left.append(1)
    return like([x], tuple(left), dtype)


def reduction(input_tensor, axis=None, keepdims=False, name=None):
    x = converted(input_tensor)
    if is_unknown(x):
        return unknown("a reduction of an unknown tensor")
    return reduced(x, axis, keepdims, dtype_of(x))


def arg_reduction(input, axis=None, output_type=None, name=None):
    x = converted(input)
    if is_unknown(x) or not ranked(x) or len(shape_of(x)) == 0:
        return unknown("the place of the largest element")
    return reduced(x, 0 if axis is None else axis, False, written(output_type, "int64"))


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None):
    x = converted(tensor)
    if is_unknown(x) or is_unknown(axis) or isinstance(axis, (tuple, list)):
        return unknown("a norm of an unknown tensor")
    return reduced(x, axis, False if keepdims is None else keepdims, dtype_of(x))


def cumulated(x, axis=0, exclusive=False, reverse=False, name=None):
    made = converted(x)
    if is_unknown(made):
        return unknown("a running sum of an unknown tensor")
    if ranked(made) and len(shape_of(made)) > 0:
        axis_of(axis, len(shape_of(made)), misfit(made))
    return like([made], shape_of(made), dtype_of(made))


def along_axis(logits, axis=None, name=None):
    """softmax and its like."""
    x = converted(logits)
    if is_unknown(x):
        return unknown("a softmax of an unknown tensor")
    if axis is not None and ranked(x) and len(shape_of(x)) > 0 and misfit(x) is not ValueError:
        axis_of(axis, len(shape_of(x)), misfit(x))
    return like([x], shape_of(x), dtype_of(x))


def add_n(inputs, name=None):
    if is_unknown(inputs) or not isinstance(inputs, (list, tuple)) or len(inputs) == 0:
        return unknown("a sum of unknown tensors")
    total = inputs[0]
    for x in inputs[1:]:
        total = combine(total, x)
    return total


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    return mapped(t)


def l2_normalize(x, axis=None, epsilon=1e-12, name=None):
    return mapped(x)


def is_float(x):
    kind = group(dtype_of(x))
    return not is_unknown(kind) and kind == "f"
