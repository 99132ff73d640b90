"""Methods of arrays that read, write, search and order elements."""

from _pytrope import (
    array_like,
    dtype_of,
    has_rank,
    index_shape,
    is_array,
    is_constant,
    is_unknown,
    matmul_shape,
    product,
    promote,
    proved,
    repeat,
    require,
    set_values,
    shape_of,
    store_check,
    unknown,
    values_of,
    view_of,
)

from _shapes import as_index, check_axis, element_count, replace_axis

from ._dtypes import KINDS, strong
from ._operators import is_deferred_to
from ._out import into
from .exceptions import AxisError


def picked(values, shape, key):
    """The known elements that an index picks, for whole leading indices and slices of vectors."""
    if values is None or not has_rank(shape):
        return None
    if isinstance(key, slice):
        if len(shape) == 1 and is_constant(key.start) and is_constant(key.stop) and is_constant(key.step):
            return values[key]
        return None
    if isinstance(key, bool) or is_array(key):
        return None
    if isinstance(key, int):
        key = (key,)
    if not isinstance(key, tuple) or len(key) > len(shape):
        return None
    step = len(values)
    start = 0
    for one, size in zip(key, shape):
        if (
            not is_constant(one)
            or isinstance(one, bool)
            or not isinstance(one, int)
            or not is_constant(size)
            or size == 0
        ):
            return None
        step = step // size
        start = start + (one + size if one < 0 else one) * step
    return values[start : start + step]


def has_ellipsis(key):
    """Whether an index spells out `...`, which always gives an array."""
    if isinstance(key, tuple):
        for one in key:
            if one is Ellipsis:
                return True
        return False
    return key is Ellipsis


def taken_shape(shape, indices, axis, mode):
    """The shape of `take`."""
    where, name, values = array_like(indices)
    if is_unknown(where):
        return where
    if axis is None:
        if not has_rank(shape):
            return where
        size = product(shape)
    else:
        if not has_rank(shape):
            return unknown("take from an unknown shape")
        one = check_axis(axis, len(shape), AxisError, shape)
        if is_unknown(one):
            return one
        size = shape[one]
    if not is_unknown(name) and has_rank(where) and len(where) > 0 and name not in ("int", "float"):
        count = product(where)
        if is_constant(count) and count > 0:
            require(
                KINDS[name] in "iub", TypeError, f"an index must be of integer type, not {name}", rule="bad-operand"
            )
    if values is not None and mode == "raise":
        for value in values:
            if isinstance(value, int):
                require(
                    -size <= value and value < size,
                    IndexError,
                    f"index {value} is out of bounds for size {size}",
                    rule="index-out-of-bounds",
                )
    if mode == "raise" and is_constant(size) and size == 0 and has_rank(where):
        count = product(where)
        if is_constant(count) and count > 0:
            raise IndexError("cannot take from an empty axis")
    if axis is None:
        return where
    if not has_rank(where):
        return unknown("take with an index of unknown rank")
    return shape[:one] + tuple(where) + shape[one + 1 :]


def repeated_shape(shape, repeats, axis):
    """The shape of `repeat`."""
    counts, _, values = array_like(repeats)
    if axis is None:
        size = element_count(shape)
        rank = 1
        shape = (size,)
        one = 0
    else:
        if not has_rank(shape):
            return unknown("repeat of an unknown shape")
        if len(shape) == 0:
            shape = (1,)
        one = check_axis(axis, len(shape), AxisError, shape)
        if is_unknown(one):
            return one
        size = shape[one]
    if is_unknown(counts) or not has_rank(counts):
        return replace_axis(shape, one, unknown("a number of repeats"))
    require(len(counts) <= 1, ValueError, "repeats must be a number or a vector", rule="shape-argument")
    if values is not None and is_constant(size) and size > 0:
        for value in values:
            require(value >= 0, ValueError, f"repeats may not be negative: {value}", rule="shape-argument")
    if len(counts) == 0 or (is_constant(counts[0]) and counts[0] == 1):
        if values is None or is_unknown(size):
            return replace_axis(shape, one, unknown("a number of repeats"))
        return replace_axis(shape, one, 0 if is_constant(size) and size == 0 else size * values[0])
    if not is_unknown(size) and not is_unknown(counts[0]):
        require(
            counts[0] == size,
            ValueError,
            f"{counts[0]} repeats do not fit {size} elements along axis {one} of shape {shape}",
            rule="broadcast-mismatch",
        )
    if values is None:
        return replace_axis(shape, one, unknown("a number of repeats"))
    return replace_axis(shape, one, sum(values))


def dot_shape(a, b, left, right):
    """The shape of `dot`, which differs from `@` for scalars and above rank 2; `left` and `right` are the operands."""
    if not has_rank(a) or not has_rank(b):
        return unknown("a product with an unknown shape")
    if len(a) == 0:
        return b
    if len(b) == 0:
        return a
    if len(a) <= 2 and len(b) <= 2:
        return matmul_shape(left, right, error=ValueError)
    inner = b[0] if len(b) == 1 else b[-2]
    require(
        a[-1] == inner,
        ValueError,
        f"dot of {a} and {b}: the last axis of the left, {a[-1]}, does not fit {inner} on the right",
        rule="matmul-mismatch",
    )
    if len(b) == 1:
        return a[:-1]
    return a[:-1] + b[:-2] + b[-1:]


class Selection:
    """Selection from arrays and scalars."""

    def __getitem__(self, key):
        if isinstance(key, str):
            if is_unknown(dtype_of(self)):
                return unknown("a field of a structured array")
            raise IndexError("only integers, slices, ellipsis, newaxis and integer or boolean arrays are indices")
        shape = shape_of(self)
        result = index_shape(shape, key)
        if is_unknown(result):
            return unknown("an unknown index")
        values = picked(values_of(self), shape, key)
        if has_rank(result) and len(result) == 0 and not has_ellipsis(key):
            return self._wrap((), dtype_of(self), values)
        return view_of(self._array(result, dtype_of(self), values), self)

    def __index__(self):
        shape = shape_of(self)
        name = dtype_of(self)
        if has_rank(shape) and not is_unknown(name):
            require(
                len(shape) == 0 and KINDS[name] in "iu",
                TypeError,
                "only integer scalar arrays can be converted to a scalar index",
                rule="bad-operand",
            )
        values = values_of(self)
        if values is None or len(values) != 1:
            return unknown("an integer from an array")
        return values[0]

    def __int__(self):
        return as_number(self, int)

    def __float__(self):
        return as_number(self, float)

    def __complex__(self):
        return as_number(self, complex)

    def __round__(self, ndigits=None):
        return unknown("a rounded number")

    def __format__(self, format_spec):
        shape = shape_of(self)
        if has_rank(shape):
            message = "unsupported format string passed to numpy.ndarray.__format__"
            require(len(shape) == 0, TypeError, message, rule="bad-operand")
        return unknown("the text of an array")

    def _item(self, args):
        shape = shape_of(self)
        if not has_rank(shape):
            return unknown("an element")
        if len(args) == 0:
            count = product(shape)
            if not is_unknown(count):
                require(
                    count == 1,
                    ValueError,
                    f"item() of shape {shape}: can only convert an array of size 1",
                    rule="shape-argument",
                )
            values = values_of(self)
            if values is not None and len(values) == 1:
                return values[0]
            return element(dtype_of(self))
        if len(args) == 1 and isinstance(args[0], tuple):
            args = args[0]
        if len(args) == 1:
            index_shape((product(shape),), args[0])
        else:
            require(
                len(args) == len(shape),
                ValueError,
                f"{len(args)} indices do not fit shape {shape}",
                rule="too-many-indices",
            )
            index_shape(shape, tuple(args))
        return element(dtype_of(self))

    def take(self, indices, axis=None, out=None, mode="raise"):
        if out is not None:
            return into(out)
        # A scalar is taken from as an array of one element.
        source = shape_of(self)
        if axis is not None and has_rank(source) and len(source) == 0:
            return unknown("elements taken from a scalar")
        return self._wrap(taken_shape(source, indices, axis, mode), dtype_of(self))

    def repeat(self, repeats, axis=None):
        return self._array(repeated_shape(shape_of(self), repeats, axis), dtype_of(self))

    def nonzero(self):
        shape = shape_of(self)
        if not has_rank(shape):
            return unknown("positions in an array of unknown rank")
        require(len(shape) > 0, ValueError, "nonzero on a rank-0 array is not supported", rule="shape-argument")
        count = count_true(values_of(self))
        return tuple([self._array((count,), "int64") for _ in shape])

    def sort(self, axis=-1, kind=None, order=None, *, stable=None):
        shape = shape_of(self)
        if has_rank(shape):
            check_axis(axis, len(shape), AxisError, shape)
        set_values(self, None)

    def argsort(self, axis=-1, kind=None, order=None, *, stable=None):
        shape = shape_of(self)
        if axis is None:
            return self._array((element_count(shape),), "int64")
        if has_rank(shape):
            if len(shape) == 0:
                check_axis(axis, 1, AxisError)
                return self._array((1,), "int64")
            check_axis(axis, len(shape), AxisError, shape)
        return self._array(shape, "int64")

    def partition(self, kth, axis=-1, kind="introselect", order=None):
        shape = shape_of(self)
        if has_rank(shape):
            check_axis(axis, len(shape), AxisError, shape)
        set_values(self, None)

    def argpartition(self, kth, axis=-1, kind="introselect", order=None):
        shape = shape_of(self)
        if axis is None:
            return self._array((element_count(shape),), "int64")
        if has_rank(shape):
            check_axis(axis, len(shape), AxisError, shape)
        return self._array(shape, "int64")

    def searchsorted(self, v, side="left", sorter=None):
        shape = shape_of(self)
        if has_rank(shape):
            require(
                len(shape) == 1, ValueError, f"searchsorted needs a vector, not shape {shape}", rule="shape-argument"
            )
        given, _, _ = array_like(v)
        if is_unknown(given):
            return unknown("searchsorted of an unknown array")
        return self._wrap(given, "int64")

    def fill(self, value):
        set_values(self, None)

    def put(self, indices, values, mode="raise"):
        set_values(self, None)

    def choose(self, *choices, out=None, mode="raise"):
        return unknown("choose is not modelled")

    def compress(self, condition, axis=None, out=None):
        if out is not None:
            return into(out)
        shape = shape_of(self)
        if axis is None:
            return self._array((unknown("a number of chosen elements"),), dtype_of(self))
        if not has_rank(shape):
            return self._array(shape, dtype_of(self))
        one = check_axis(axis, len(shape), AxisError, shape)
        if is_unknown(one):
            return self._array(one, dtype_of(self))
        return self._array(replace_axis(shape, one, unknown("a number of chosen elements")), dtype_of(self))

    def dot(self, b, out=None):
        if out is not None:
            return into(out)
        return product_of(self, self, b, dot_shape)

    def __matmul__(self, other):
        if is_deferred_to(other):
            return NotImplemented
        return product_of(self, self, other, matrix_shape)

    def __rmatmul__(self, other):
        return product_of(self, other, self, matrix_shape)


class Container:
    """What arrays can do and scalars cannot: length, iteration, stores."""

    def __setitem__(self, key, value):
        if self._is_readonly:
            raise ValueError("assignment destination is read-only")
        if isinstance(key, str):
            if not is_unknown(dtype_of(self)):
                raise IndexError("only integers, slices, ellipsis, newaxis and integer or boolean arrays are indices")
        else:
            if is_unknown(dtype_of(self)):
                store_check(shape_of(self), key, unknown("any object may be stored"))
            else:
                store_check(shape_of(self), key, None, value=value)
        set_values(self, None)

    def __delitem__(self, key):
        raise ValueError("cannot delete array elements")

    def __len__(self):
        shape = shape_of(self)
        if not has_rank(shape):
            return unknown("the length of an array of unknown rank")
        if len(shape) == 0:
            raise TypeError("len() of unsized object")
        return shape[0]

    def __iter__(self):
        shape = shape_of(self)
        if not has_rank(shape):
            return unknown("iteration over an array of unknown rank")
        if len(shape) == 0:
            raise TypeError("iteration over a 0-d array")
        values = values_of(self)
        if values is not None and is_constant(shape[0]) and shape[0] <= 64:
            return iter([self[row] for row in range(shape[0])])
        return iter(repeat(self._wrap(shape[1:], dtype_of(self)), shape[0]))

    def __contains__(self, value):
        return unknown("membership in an array")

    def __imatmul__(self, other):
        given, _, _ = array_like(other)
        if is_unknown(given):
            return self
        own = shape_of(self)
        result = matmul_shape(self, other if is_array(other) else given, error=ValueError)
        if has_rank(result) and has_rank(own):
            require(
                len(result) == len(own),
                ValueError,
                f"the product has shape {result}, which does not fit {own} in place",
                rule="matmul-mismatch",
            )
            for have, need in zip(own, result):
                require(
                    have == need,
                    ValueError,
                    f"the product has shape {result}, which does not fit {own} in place",
                    rule="matmul-mismatch",
                )
        set_values(self, None)
        return self


def matrix_shape(a, b, left, right):
    """The shape of `@`."""
    return matmul_shape(left, right, error=ValueError)


def product_of(owner, left, right, rule):
    """A product of two array-likes."""
    a, first, _ = array_like(left)
    b, second, _ = array_like(right)
    if is_unknown(a) or is_unknown(b):
        return unknown("a product with an unknown operand")
    return owner._wrap(
        rule(a, b, left if is_array(left) else a, right if is_array(right) else b), strong(promote(first, second))
    )


def count_true(values):
    """How many of the known elements are true; unknown when they are not known."""
    if values is None:
        return unknown("a number of true elements")
    count = 0
    for value in values:
        if not is_constant(value):
            return unknown("a number of true elements")
        if value:
            count += 1
    return count


def element(name):
    """A Python number of unknown value."""
    return unknown("an element of an array")


def as_number(source, convert):
    """`int(a)` and the like need exactly one element."""
    shape = shape_of(source)
    if not has_rank(shape):
        return unknown("a number from an array of unknown rank")
    count = product(shape)
    if not is_unknown(count):
        require(
            count == 1,
            TypeError,
            f"only arrays of one element can be converted to Python numbers, not shape {shape}",
            rule="shape-argument",
        )
    values = values_of(source)
    if values is not None and len(values) == 1 and isinstance(values[0], (int, float)):
        return convert(values[0])
    return unknown("a number from an array")
