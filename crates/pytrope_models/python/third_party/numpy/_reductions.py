"""Methods of arrays that reduce or accumulate along axes."""

from _pytrope import (
    array_like,
    broadcast,
    dtype_of,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    perhaps_same,
    product,
    refuted,
    require,
    set_values,
    shape_of,
    unknown,
    values_of,
)

from _shapes import check_axes, check_axis, element_count, reduce_shape

from ._dtypes import KINDS, mean_of, real_of, sum_of
from ._layout import diagonal_shape
from ._out import into
from ._types import dtype_name
from .exceptions import AxisError


def reduction(source, axis, dtype, out, keepdims, where=True, lenient=False):
    """The result of a reduction, written into `out` when there is one."""
    own = shape_of(source)
    if where is not True:
        mask, _, _ = array_like(where)
        if has_rank(own) and not is_unknown(mask):
            broadcast(own, mask)
    # Elements that are chosen by a mask are counted without a look at the axes.
    if lenient or where is not True:
        axis = scalar_axis(source, axis)
    shape = reduce_shape(own, axis, keepdims, AxisError)
    if out is not None:
        if is_array(out):
            into = shape_of(out)
            if has_rank(shape) and has_rank(into):
                require(
                    len(into) == len(shape),
                    ValueError,
                    f"the result has shape {shape}, but out has shape {into}",
                    rule="shape-argument",
                )
                for have, need in zip(into, shape):
                    require(
                        have == need,
                        ValueError,
                        f"the result has shape {shape}, but out has shape {into}",
                        rule="shape-argument",
                    )
            set_values(out, None)
        return out
    return source._wrap(shape, dtype)


def nonempty(source, axis, what):
    """A reduction without identity needs an element along the reduced axes."""
    shape = shape_of(source)
    if not has_rank(shape) or len(shape) == 0:
        return
    if axis is None:
        reduced = shape
        kept = ()
    else:
        axes = check_axes(axis, len(shape), AxisError, shape)
        if is_unknown(axes):
            return
        reduced = [shape[one] for one in axes]
        kept = [size for position, size in enumerate(shape) if position not in axes]
    for size in reduced:
        if is_constant(size) and size == 0:
            for other in kept:
                if not is_constant(other) or other == 0:
                    return
            raise ValueError(f"{what} of an empty array of shape {shape} has no value")


def accumulate(source, axis, name):
    """The result of a running sum or product."""
    shape = shape_of(source)
    if axis is None:
        return source._array((element_count(shape),), name)
    if not has_rank(shape):
        return source._array(shape, name)
    if len(shape) == 0:
        check_axis(axis, 1, AxisError)
        return source._array((1,), name)
    check_axis(axis, len(shape), AxisError, shape)
    return source._array(shape, name)


def whole(source, axis, op, name):
    """A full reduction of small known integers."""
    if axis is not None:
        return None
    values = values_of(source)
    if values is None or len(values) == 0 or len(values) > 32:
        return None
    result = values[0]
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int):
            return None
    for value in values[1:]:
        result = op(result, value)
    return source._wrap((), name, (result,))


def single_axis(axis):
    """`argmax` and friends take one axis or none."""
    if isinstance(axis, (tuple, list)):
        raise TypeError("this function takes a single axis, not a tuple")


class Reductions:
    """Reductions of arrays and scalars."""

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True):
        name = dtype_name(dtype, sum_of(dtype_of(self)))
        known = (
            whole(self, axis, lambda a, b: a + b, name)
            if keepdims is False and where is True and out is None and dtype is None and initial == 0
            else None
        )
        if known is not None:
            return known
        return reduction(self, axis, name, out, keepdims, where, True)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True):
        name = dtype_name(dtype, sum_of(dtype_of(self)))
        known = (
            whole(self, axis, lambda a, b: a * b, name)
            if keepdims is False and where is True and out is None and dtype is None and initial == 1
            else None
        )
        if known is not None:
            return known
        return reduction(self, axis, name, out, keepdims, where, True)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
        return reduction(self, axis, dtype_name(dtype, mean_of(dtype_of(self))), out, keepdims, where)

    def std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=0):
        if mean is not None or not isinstance(ddof, (int, float)) or not isinstance(correction, (int, float)):
            return unknown("a deviation from a given mean, or with several corrections")
        return reduction(self, axis, dtype_name(dtype, real_of(mean_of(dtype_of(self)))), out, keepdims, where)

    def var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=0):
        if mean is not None or not isinstance(ddof, (int, float)) or not isinstance(correction, (int, float)):
            return unknown("a deviation from a given mean, or with several corrections")
        return reduction(self, axis, dtype_name(dtype, real_of(mean_of(dtype_of(self)))), out, keepdims, where)

    def max(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        if initial is None:
            nonempty(self, axis, "the maximum")
        return reduction(self, axis, dtype_of(self), out, keepdims, where, True)

    def min(self, axis=None, out=None, keepdims=False, initial=None, where=True):
        if initial is None:
            nonempty(self, axis, "the minimum")
        return reduction(self, axis, dtype_of(self), out, keepdims, where, True)

    def any(self, axis=None, out=None, keepdims=False, *, where=True):
        return reduction(self, axis, truth(self), out, keepdims, where, True)

    def all(self, axis=None, out=None, keepdims=False, *, where=True):
        return reduction(self, axis, truth(self), out, keepdims, where, True)

    def argmax(self, axis=None, out=None, *, keepdims=False):
        single_axis(axis)
        nonempty_arg(self, axis, "argmax")
        return reduction(self, scalar_axis(self, axis), "int64", out, keepdims)

    def argmin(self, axis=None, out=None, *, keepdims=False):
        single_axis(axis)
        nonempty_arg(self, axis, "argmin")
        return reduction(self, scalar_axis(self, axis), "int64", out, keepdims)

    def cumsum(self, axis=None, dtype=None, out=None):
        if out is not None:
            return into(out)
        return accumulate(self, axis, dtype_name(dtype, sum_of(dtype_of(self))))

    def cumprod(self, axis=None, dtype=None, out=None):
        if out is not None:
            return into(out)
        return accumulate(self, axis, dtype_name(dtype, sum_of(dtype_of(self))))

    def trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None):
        if out is not None:
            return into(out)
        shape = diagonal_shape(shape_of(self), offset, axis1, axis2)
        if not has_rank(shape):
            return self._wrap(shape, sum_of(dtype_of(self)))
        return self._wrap(shape[:-1], sum_of(dtype_of(self)))

    def round(self, decimals=0, out=None):
        if out is not None:
            return into(out)
        return self._wrap(shape_of(self), rounded(dtype_of(self)))

    def clip(self, min=None, max=None, out=None, **kwargs):
        return self._clip(min, max, out)

    def conj(self):
        return perhaps_same(self._like(shape_of(self), dtype_of(self)), self)

    def conjugate(self):
        return perhaps_same(self._like(shape_of(self), dtype_of(self)), self)


def truth(source):
    """`any` and `all` of object arrays give an object."""
    name = dtype_of(source)
    if is_unknown(name):
        return name
    return "bool"


def rounded(name):
    """Rounding a bool gives a float16."""
    if is_unknown(name):
        return name
    return "float16" if name == "bool" else name


def scalar_axis(source, axis):
    """Axis 0 or -1 is allowed on a rank-0 array by `argmax` and friends."""
    shape = shape_of(source)
    if axis is not None and not isinstance(axis, tuple) and has_rank(shape) and len(shape) == 0:
        check_axis(axis, 1, AxisError)
        return None
    return axis


def nonempty_arg(source, axis, what):
    """`argmax` needs at least one element along its axis, even when there are no other elements."""
    shape = shape_of(source)
    if not has_rank(shape) or len(shape) == 0:
        return
    if axis is None:
        for size in shape:
            if is_constant(size) and size == 0:
                raise ValueError(f"attempt to get {what} of an empty array of shape {shape}")
        return
    one = check_axis(axis, len(shape), AxisError, shape)
    if not is_unknown(one) and is_constant(shape[one]) and shape[one] == 0:
        for position, size in enumerate(shape):
            if position != one and (not is_constant(size) or size == 0):
                return
        raise ValueError(f"attempt to get {what} along an empty axis of shape {shape}")
