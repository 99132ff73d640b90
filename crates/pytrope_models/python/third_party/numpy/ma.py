"""`numpy.ma`: masked arrays, by their shapes.

Which elements are masked is not followed, so that what depends on it is Unknown. A masked array is an object around an
array. What else it inherits from `ndarray`, and names that are not here, are Unknown.
"""

from _pytrope import (
    array as new_array,
    dtype_of,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    product,
    require,
    shape_of,
    unknown,
)

from numpy import asarray as dense_array, ndarray, ones as dense_ones, zeros as dense_zeros
from numpy._convert import as_array_arg
from numpy._types import dtype_name

nomask = False
masked = unknown("the masked constant")


class MAError(Exception):
    """An error about masked arrays."""


class MaskError(MAError):
    """A mask that does not fit."""


class MaskedArray(unknown("numpy.ndarray, which masked arrays are instances of")):
    """A masked array of known shape, or of an unknown one."""

    def __init__(self, data=None, mask=nomask, dtype=None, copy=False, **options):
        self._cells = masked_cells(data, mask, dtype)

    @property
    def shape(self):
        return shape_of(self._cells)

    @shape.setter
    def shape(self, sizes):
        self._cells = unknown("a shape that is set")

    @property
    def ndim(self):
        return self._cells.ndim

    @property
    def size(self):
        return self._cells.size

    @property
    def dtype(self):
        return self._cells.dtype

    @property
    def data(self):
        return bare(self._cells)

    @property
    def T(self):
        return wrapped(self._cells.T)

    def __len__(self):
        return len(self._cells)

    def __getitem__(self, index):
        return selected(self._cells, index)

    def __setitem__(self, index, value):
        if not is_unknown(self._cells):
            stored = operand_of(value)
            place = self._cells[index]
            if not is_unknown(stored) and is_array(place, ndarray):
                self._cells[index] = stored

    def __add__(self, other):
        return elementwise(self, other, "__add__")

    def __radd__(self, other):
        return elementwise(self, other, "__radd__")

    def __sub__(self, other):
        return elementwise(self, other, "__sub__")

    def __rsub__(self, other):
        return elementwise(self, other, "__rsub__")

    def __mul__(self, other):
        return elementwise(self, other, "__mul__")

    def __rmul__(self, other):
        return elementwise(self, other, "__rmul__")

    def __truediv__(self, other):
        return elementwise(self, other, "__truediv__")

    def __rtruediv__(self, other):
        return elementwise(self, other, "__rtruediv__")

    def __neg__(self):
        return wrapped(self._cells)

    def filled(self, fill_value=None):
        return bare(self._cells)

    def compressed(self):
        if is_unknown(self._cells):
            return unknown("elements of an unknown array")
        return new_array(ndarray, (unknown("a number of elements that are not masked"),), dtype_of(self._cells))

    def copy(self, order="C"):
        return wrapped(bare(self._cells))

    def astype(self, dtype, *args, **kwargs):
        return wrapped(bare(self._cells).astype(dtype))

    def reshape(self, *sizes, **options):
        return unknown("a shape in another order") if options else wrapped(bare(self._cells).reshape(*sizes))

    def ravel(self, order="C"):
        return wrapped(bare(self._cells).ravel())

    def flatten(self, order="C"):
        return self.ravel()

    def transpose(self, *axes):
        return wrapped(bare(self._cells).transpose(*axes))

    def sum(self, axis=None, dtype=None, out=None, keepdims=False):
        return reduced(self, "sum", axis, keepdims, out)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False):
        return reduced(self, "prod", axis, keepdims, out)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False):
        return reduced(self, "mean", axis, keepdims, out)

    def var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, mean=None):
        return reduced(self, "var", axis, keepdims, out)

    def std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, mean=None):
        return reduced(self, "std", axis, keepdims, out)

    def min(self, axis=None, out=None, fill_value=None, keepdims=False):
        return reduced(self, "min", axis, keepdims, out)

    def max(self, axis=None, out=None, fill_value=None, keepdims=False):
        return reduced(self, "max", axis, keepdims, out)

    def any(self, axis=None, out=None, keepdims=False):
        return reduced(self, "any", axis, keepdims, out)

    def all(self, axis=None, out=None, keepdims=False):
        return reduced(self, "all", axis, keepdims, out)


def bare(cells):
    """The elements as an array of their own, whose values are not followed."""
    return cells if is_unknown(cells) else new_array(ndarray, shape_of(cells), dtype_of(cells))


def wrapped(cells):
    """A masked array around an array."""
    if is_unknown(cells) or not is_array(cells, ndarray):
        return unknown("a masked array of unknown shape")
    made = MaskedArray(0)
    made._cells = bare(cells)
    return made


def operand_of(other):
    """An operand as an array without values."""
    if isinstance(other, MaskedArray):
        return other._cells
    given = as_array_arg(other)
    return given if is_unknown(given) else bare(given)


def masked_cells(data, mask, dtype):
    """The elements of a masked array. A mask of one element or of as many elements takes the shape of the data."""
    if dtype is not None and is_unknown(dtype_name(dtype)):
        # Objects may be ragged sequences.
        return unknown("elements of an unknown type")
    cells = operand_of(data)
    if is_unknown(cells):
        return cells
    if not is_unknown(mask) and mask is not False and mask is not True:
        covers = operand_of(mask)
        if not is_unknown(covers) and has_rank(shape_of(covers)) and has_rank(shape_of(cells)):
            count, need = product(shape_of(covers)), product(shape_of(cells))
            require(
                count == need or count == 1,
                MaskError,
                f"the mask has shape {shape_of(covers)}, but the data has shape {shape_of(cells)}",
                rule="shape-argument",
            )
    return new_array(ndarray, shape_of(cells), dtype_name(dtype, dtype_of(cells)))


def elementwise(left, other, operation):
    """An arithmetic operation, which needs shapes that broadcast."""
    right = operand_of(other)
    if is_unknown(left._cells) or is_unknown(right):
        return unknown("an operation with an unknown operand")
    return wrapped(getattr(left._cells, operation)(right))


def reduced(source, operation, axis, keepdims, out):
    """A reduction along axes; what is reduced to one element may be the masked constant."""
    if is_unknown(source._cells) or out is not None or not is_constant(keepdims):
        return unknown("a reduction of an unknown array")
    result = getattr(bare(source._cells), operation)(axis=axis, keepdims=keepdims)
    if not is_array(result, ndarray) or not has_rank(shape_of(result)) or len(shape_of(result)) == 0:
        return unknown("an element that may be masked")
    return wrapped(result)


def selected(cells, index):
    """What an index selects; a single element may be masked."""
    if is_unknown(cells) or is_unknown(index) or isinstance(index, MaskedArray):
        return unknown("a part of an unknown array")
    taken = cells[index]
    if is_unknown(taken) or not is_array(taken, ndarray) or not has_rank(shape_of(taken)) or len(shape_of(taken)) == 0:
        return unknown("an element that may be masked")
    return wrapped(taken)


masked_array = MaskedArray


def array(
    data,
    dtype=None,
    copy=False,
    order=None,
    mask=nomask,
    fill_value=None,
    keep_mask=True,
    hard_mask=False,
    shrink=True,
    subok=True,
    ndmin=0,
):
    return MaskedArray(data, mask, dtype) if is_constant(ndmin) and ndmin == 0 else unknown("an array with more axes")


def asarray(a, dtype=None, order=None):
    return MaskedArray(a, nomask, dtype)


def zeros(shape, dtype=float, order="C", **options):
    return wrapped(dense_zeros(shape, dtype))


def ones(shape, dtype=None, order="C", **options):
    return wrapped(dense_ones(shape, dtype))


def empty(shape, dtype=float, order="C", **options):
    return wrapped(dense_zeros(shape, dtype))


def masked_all(shape, dtype=float):
    return wrapped(dense_zeros(shape, dtype))


def masked_where(condition, a, copy=True):
    covers, cells = operand_of(condition), operand_of(a)
    if is_unknown(covers) or is_unknown(cells):
        return unknown("a masked array of an unknown one")
    own, other = shape_of(cells), shape_of(covers)
    if has_rank(own) and has_rank(other) and len(other) > 0:
        require(
            len(own) == len(other) and own == other,
            IndexError,
            f"a condition of shape {other} for an array of shape {own}",
            rule="shape-argument",
        )
    return wrapped(cells)


def same_shape(x, value, copy=True):
    """Functions that mask elements by their value."""
    return wrapped(operand_of(x)) if not is_unknown(operand_of(x)) else unknown("a masked array of an unknown one")


masked_equal = masked_not_equal = masked_greater = masked_greater_equal = masked_less = masked_less_equal = same_shape


def masked_invalid(a, copy=True):
    return same_shape(a, None)


def masked_inside(x, v1, v2, copy=True):
    return same_shape(x, None)


def masked_outside(x, v1, v2, copy=True):
    return same_shape(x, None)


def masked_values(x, value, rtol=1e-05, atol=1e-08, copy=True, shrink=True):
    return same_shape(x, None)


def filled(a, fill_value=None):
    return a.filled() if isinstance(a, MaskedArray) else dense_array(a)


def getdata(a, subok=True):
    return a.data if isinstance(a, MaskedArray) else dense_array(a)


def getmaskarray(arr):
    cells = operand_of(arr)
    return unknown("a mask") if is_unknown(cells) else new_array(ndarray, shape_of(cells), "bool")


def is_masked(x):
    return unknown("whether an element is masked")


def isMaskedArray(x):
    return isinstance(x, MaskedArray) if not is_unknown(x) else unknown("whether an array is masked")


isMA = isarray = isMaskedArray


def by_method(name):
    """The function that calls a method of a masked array."""

    def call(a, axis=None, *args, **kwargs):
        if args or kwargs or is_unknown(a):
            return unknown("a reduction with options")
        made = a if isinstance(a, MaskedArray) else MaskedArray(a)
        return reduced(made, name, axis, False, None)

    return call


sum = by_method("sum")
prod = by_method("prod")
mean = by_method("mean")
var = by_method("var")
std = by_method("std")
min = by_method("min")
max = by_method("max")
any = by_method("any")
all = by_method("all")


def count(arr, axis=None, keepdims=False):
    return unknown("a number of elements that are not masked")
