"""`numpy.ndarray` and the scalar types: arrays of rank 0 that cannot be changed."""

from _pytrope import (
    array,
    array_like,
    broadcast,
    dtype_of,
    is_unknown,
    make,
    promote,
    set_values,
    shape_of,
    unknown,
    values_of,
)

from _shapes import as_sizes, check_sizes

from ._dtypes import strong
from ._layout import Layout, integers_only
from ._operators import InPlaceOperators, Operators
from ._reductions import Reductions
from ._selection import Container, Selection
from ._types import dtype_name


class _Array(Operators, Layout, Reductions, Selection):
    """What arrays and scalars share."""

    __array_priority__ = 0.0
    _is_mutable = True
    _is_readonly = False

    def _array(self, shape, dtype, values=None):
        """A new array."""
        return array(ndarray, shape, dtype, values)

    def _wrap(self, shape, dtype, values=None):
        """A new array, or a scalar where NumPy returns one: at rank 0."""
        return make(ndarray, SCALARS, shape, dtype, values)

    def _like(self, shape, dtype, values=None):
        """A new array or scalar of the same sort as this one."""
        if self._is_mutable:
            return array(ndarray, shape, dtype, values)
        return wrap(shape, dtype, values)

    def _clip(self, low, high, out):
        """Clip between bounds that broadcast with the array."""
        shape = shape_of(self)
        name = dtype_of(self)
        for bound in (low, high):
            if bound is not None:
                given, other, _ = array_like(bound)
                if is_unknown(given):
                    return unknown("clip with an unknown bound")
                shape = broadcast(shape, given)
                name = promote(name, other)
        if out is not None:
            return out
        return wrap(shape, strong(name))

    @property
    def _base(self):
        """The class that NumPy's own arrays and scalars derive from."""
        return _Array

    def __array_ufunc__(self, *args, **kwargs):
        return unknown("a ufunc override")


class ndarray(_Array, InPlaceOperators, Container):
    """An array of known or unknown shape."""

    def __new__(cls, shape, dtype=float, buffer=None, offset=0, strides=None, order=None):
        if cls is not ndarray:
            return unknown("a subclass of ndarray")
        if buffer is not None and isinstance(shape, int) and shape < 0:
            return unknown("an array of as many elements as the buffer has")
        return array(ndarray, check_sizes(as_sizes(shape)), dtype_name(dtype))

    def _of_shape(self, shape, dtype, is_reduced=False):
        """A new array, for libraries that work on arrays of any kind; what is reduced to one element is a scalar."""
        return wrap(shape, dtype) if is_reduced else array(ndarray, shape, dtype)

    def _stack_of(self, arrays):
        from .joining import stack

        return stack(arrays)

    def _joined_with(self, arrays, axis):
        from .joining import concatenate

        return concatenate(arrays, axis)

    def _sum_error(self):
        return ValueError

    def _common_dtype(self, arrays):
        from _pytrope import promote

        return promote(*[dtype_of(one) for one in arrays])

    __hash__ = None
    # What has no axes is a scalar, unless it was made as an array.
    _pytrope_scalars = True

    def __class_getitem__(cls, item):
        return cls


def wrap(shape, dtype, values=None):
    """An array, or a scalar at rank 0; elements of unknown type are unknown."""
    return make(ndarray, SCALARS, shape, dtype, values)


class generic(_Array):
    """Base of the scalar types."""

    _dtype_group = "generic"
    _is_mutable = False

    def __hash__(self):
        return unknown("the hash of a scalar")

    def __matmul__(self, other):
        if isinstance(other, generic):
            raise TypeError("unsupported operand type(s) for @: two scalars have no axis to multiply along")
        return super().__matmul__(other)


def convert(cls, value):
    """Call a scalar type: a scalar for a scalar, an array for a sequence."""
    shape, name, values = array_like(value)
    if is_unknown(shape):
        return unknown("a scalar from an unknown value")
    return wrap(shape, cls._dtype_name, integers_only(values, cls._dtype_name))


class number(generic):
    """Numeric scalars."""

    _dtype_group = "number"


class integer(number):
    """Integer scalars."""

    _dtype_group = "integer"

    def __mul__(self, other):
        # An integer repeats a sequence.
        return NotImplemented if isinstance(other, (list, tuple, str, bytes)) else super().__mul__(other)

    def __rmul__(self, other):
        return NotImplemented if isinstance(other, (list, tuple, str, bytes)) else super().__rmul__(other)

    def __new__(cls, value=0):
        return convert(cls, value)

    @property
    def numerator(self):
        return self

    @property
    def denominator(self):
        return 1

    def is_integer(self):
        return True

    def bit_count(self):
        return unknown("a bit count")


class signedinteger(integer):
    """Signed integer scalars."""

    _dtype_group = "signedinteger"


class unsignedinteger(integer):
    """Unsigned integer scalars."""

    _dtype_group = "unsignedinteger"


class inexact(number):
    """Floating and complex scalars."""

    _dtype_group = "inexact"

    def __new__(cls, value=0):
        return convert(cls, value)


class floating(inexact):
    """Floating scalars."""

    _dtype_group = "floating"

    def is_integer(self):
        return unknown("whether a float is whole")

    def as_integer_ratio(self):
        return unknown("an integer ratio")


class complexfloating(inexact):
    """Complex scalars."""

    _dtype_group = "complexfloating"


class flexible(generic):
    """Strings and structures."""


class character(flexible):
    """Strings."""


class bool_(generic):
    _dtype_name = "bool"
    _dtype_group = None

    def __new__(cls, value=False):
        return convert(cls, value)


class int8(signedinteger):
    _dtype_name = "int8"
    _dtype_group = None


class int16(signedinteger):
    _dtype_name = "int16"
    _dtype_group = None


class int32(signedinteger):
    _dtype_name = "int32"
    _dtype_group = None


class int64(signedinteger):
    _dtype_name = "int64"
    _dtype_group = None


class uint8(unsignedinteger):
    _dtype_name = "uint8"
    _dtype_group = None


class uint16(unsignedinteger):
    _dtype_name = "uint16"
    _dtype_group = None


class uint32(unsignedinteger):
    _dtype_name = "uint32"
    _dtype_group = None


class uint64(unsignedinteger):
    _dtype_name = "uint64"
    _dtype_group = None


class float16(floating):
    _dtype_name = "float16"
    _dtype_group = None


class float32(floating):
    _dtype_name = "float32"
    _dtype_group = None


class float64(floating, float):
    _dtype_name = "float64"
    _dtype_group = None


class complex64(complexfloating):
    _dtype_name = "complex64"
    _dtype_group = None


class complex128(complexfloating, complex):
    _dtype_name = "complex128"
    _dtype_group = None


SCALARS = {
    "bool": bool_,
    "int8": int8,
    "int16": int16,
    "int32": int32,
    "int64": int64,
    "uint8": uint8,
    "uint16": uint16,
    "uint32": uint32,
    "uint64": uint64,
    "float16": float16,
    "float32": float32,
    "float64": float64,
    "complex64": complex64,
    "complex128": complex128,
}
