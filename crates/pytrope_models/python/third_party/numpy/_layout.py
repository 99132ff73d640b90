"""Methods and properties of arrays about their layout: reshaping, transposing, copying, types."""

from _pytrope import (
    dtype_of,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    perhaps_same,
    product,
    require,
    reshape_shape,
    set_dtype,
    set_shape,
    set_values,
    shape_of,
    unknown,
    values_of,
    view_of,
)

from _shapes import as_index, as_sizes, check_axis, check_axes, element_count, permute_shape, squeeze_shape

from ._dtypes import ALIASES, KINDS, SIZES, real_of
from ._types import dtype, dtype_name
from .exceptions import AxisError


def transposed(shape):
    """The shape with its axes in reverse."""
    if not has_rank(shape):
        return unknown("the transpose of an unknown shape")
    return tuple(reversed(shape))


def swapped(shape, axis1, axis2):
    """The shape with two axes exchanged."""
    if not has_rank(shape):
        return unknown("a swap in an unknown shape")
    first = check_axis(axis1, len(shape), AxisError, shape)
    second = check_axis(axis2, len(shape), AxisError, shape)
    if is_unknown(first) or is_unknown(second):
        return unknown("a swap of unknown axes")
    sizes = list(shape)
    sizes[first], sizes[second] = sizes[second], sizes[first]
    return tuple(sizes)


def read_only(made):
    """A view that NumPy does not let anybody write through."""
    made._is_readonly = True
    return made


def diagonal_length(rows, columns, offset):
    """How long the diagonal of a matrix is."""
    offset = as_index(offset)
    if not is_constant(offset) or is_unknown(rows) or is_unknown(columns):
        return unknown("the length of a diagonal")
    if offset >= 0:
        columns = columns - offset
    else:
        rows = rows + offset
    if is_constant(rows) and is_constant(columns):
        return max(0, min(rows, columns))
    if offset == 0:
        if rows == columns:
            return rows
    return unknown("the length of a diagonal")


def diagonal_shape(shape, offset, axis1, axis2):
    """The shape of the diagonals of the matrices in two axes."""
    if not has_rank(shape):
        return unknown("diagonals of an unknown shape")
    require(
        len(shape) >= 2,
        ValueError,
        f"a diagonal needs an array of at least rank 2, not shape {shape}",
        rule="shape-argument",
    )
    first = check_axis(axis1, len(shape), AxisError, shape)
    second = check_axis(axis2, len(shape), AxisError, shape)
    if is_unknown(first) or is_unknown(second):
        return unknown("diagonals along unknown axes")
    require(first != second, ValueError, "axis1 and axis2 of a diagonal cannot be the same", rule="axis-out-of-range")
    left = [size for position, size in enumerate(shape) if position not in (first, second)]
    return tuple(left) + (diagonal_length(shape[first], shape[second], offset),)


class Layout:
    """Layout of arrays and scalars."""

    @property
    def shape(self):
        return shape_of(self)

    @shape.setter
    def shape(self, new):
        set_shape(self, reshape_shape(self, as_sizes(new), any_negative=True))

    @property
    def ndim(self):
        return len(shape_of(self))

    @property
    def size(self):
        return element_count(shape_of(self))

    @property
    def T(self):
        return view_of(self._like(transposed(shape_of(self)), dtype_of(self)), self)

    @property
    def mT(self):
        shape = shape_of(self)
        if has_rank(shape):
            require(
                len(shape) >= 2,
                ValueError,
                f"a matrix transpose needs at least rank 2, not shape {shape}",
                rule="shape-argument",
            )
            return self._like(swapped(shape, -1, -2), dtype_of(self))
        return self._like(shape, dtype_of(self))

    @property
    def dtype(self):
        name = dtype_of(self)
        if is_unknown(name):
            return unknown("the dtype of an array")
        return dtype(name)

    @dtype.setter
    def dtype(self, new):
        set_dtype(self, unknown("a dtype that was set"))
        set_shape(self, unknown("a shape seen through another dtype"))
        set_values(self, None)

    @property
    def real(self):
        return perhaps_same(self._like(shape_of(self), real_of(dtype_of(self))), self)

    @real.setter
    def real(self, new):
        set_values(self, None)

    @property
    def imag(self):
        return self._like(shape_of(self), real_of(dtype_of(self)))

    @imag.setter
    def imag(self, new):
        set_values(self, None)

    @property
    def itemsize(self):
        name = dtype_of(self)
        if is_unknown(name):
            return unknown("the size of an item")
        return SIZES[name]

    @property
    def nbytes(self):
        name = dtype_of(self)
        if is_unknown(name) or not has_rank(shape_of(self)):
            return unknown("the bytes of an array")
        return SIZES[name] * product(shape_of(self))

    @property
    def flat(self):
        return unknown("an iterator over elements")

    @property
    def strides(self):
        return unknown("strides")

    @property
    def base(self):
        return unknown("the owner of a view")

    @property
    def flags(self):
        self._is_readonly = unknown("flags may be changed")
        return unknown("flags of an array")

    @property
    def data(self):
        return unknown("a buffer")

    @property
    def ctypes(self):
        return unknown("a ctypes view")

    @property
    def device(self):
        return "cpu"

    def reshape(self, *shape, order="C", copy=None):
        if len(shape) == 0:
            raise TypeError("reshape() takes exactly 1 argument (0 given)")
        if len(shape) == 1:
            target = as_sizes(shape[0])
        else:
            target = as_sizes(shape)
        values = values_of(self) if order == "C" else None
        return view_of(self._array(reshape_shape(self, target, any_negative=True), dtype_of(self), values), self)

    def resize(self, *shape, refcheck=True):
        target = as_sizes(shape[0] if len(shape) == 1 else shape)
        set_shape(self, target)
        set_values(self, None)

    def ravel(self, order="C"):
        return view_of(
            self._array((element_count(shape_of(self)),), dtype_of(self), values_of(self) if order == "C" else None),
            self,
        )

    def flatten(self, order="C"):
        return self._array((element_count(shape_of(self)),), dtype_of(self), values_of(self) if order == "C" else None)

    def transpose(self, *axes):
        if len(axes) == 1:
            axes = axes[0]
            if axes is None:
                return self.T
            if is_unknown(axes) or is_array(axes):
                return self._like(permute_shape(shape_of(self), as_sizes(axes), AxisError), dtype_of(self))
            if not isinstance(axes, (tuple, list)):
                axes = (axes,)
        elif len(axes) == 0:
            return self.T
        return view_of(self._like(permute_shape(shape_of(self), axes, AxisError), dtype_of(self)), self)

    def swapaxes(self, axis1, axis2):
        return view_of(self._array(swapped(shape_of(self), axis1, axis2), dtype_of(self)), self)

    def squeeze(self, axis=None):
        return perhaps_same(
            view_of(self._like(squeeze_shape(shape_of(self), axis, AxisError), dtype_of(self), values_of(self)), self),
            self,
        )

    def diagonal(self, offset=0, axis1=0, axis2=1):
        return read_only(self._array(diagonal_shape(shape_of(self), offset, axis1, axis2), dtype_of(self)))

    def copy(self, order="C"):
        return self._like(shape_of(self), dtype_of(self), values_of(self))

    def __copy__(self):
        return self._like(shape_of(self), dtype_of(self), values_of(self))

    def __deepcopy__(self, memo):
        return self._like(shape_of(self), dtype_of(self), values_of(self))

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        name = dtype_name(dtype)
        values = values_of(self)
        if is_unknown(name) or name != dtype_of(self):
            values = integers_only(values, name)
        if copy is True:
            return self._like(shape_of(self), name, values)
        return perhaps_same(self._like(shape_of(self), name, values), self)

    def view(self, *args, **kwargs):
        if len(args) == 0 and len(kwargs) == 0:
            return view_of(self._like(shape_of(self), dtype_of(self), values_of(self)), self)
        return unknown("a view of another type")

    def byteswap(self, inplace=False):
        return self._like(shape_of(self), dtype_of(self))

    def tolist(self):
        shape = shape_of(self)
        values = values_of(self)
        if has_rank(shape) and values is not None:
            return nested(values, shape)
        if has_rank(shape) and is_constant(shape) and element_count(shape) <= 256:
            return nested([python_number(dtype_of(self)) for _ in range(element_count(shape))], shape)
        return unknown("a list of elements")

    def item(self, *args):
        return self._item(args)

    def tobytes(self, order="C"):
        return unknown("bytes of an array")

    def tofile(self, *args, **kwargs):
        return None

    def dump(self, file):
        return None

    def dumps(self):
        return unknown("bytes of an array")

    def setflags(self, write=None, align=None, uic=None):
        self._is_readonly = unknown("flags may be changed")
        return None

    def getfield(self, *args, **kwargs):
        return unknown("a field")

    def newbyteorder(self, *args):
        return unknown("another byte order")

    def __array__(self, dtype=None, copy=None):
        if dtype is None:
            return perhaps_same(self._array(shape_of(self), dtype_of(self), values_of(self)), self)
        return perhaps_same(self._array(shape_of(self), dtype_name(dtype)), self)

    def __reduce__(self):
        return unknown("a pickle")


def python_number(name):
    """Some element of an array of this type, as Python's own number."""
    if is_unknown(name):
        return unknown("an element")
    if name.startswith("float"):
        return float(unknown("an element"))
    if name.startswith("int") or name.startswith("uint"):
        return int(unknown("an element"))
    return unknown("an element")


def integers_only(values, name):
    """Known elements that survive a conversion unchanged in value."""
    if values is None or is_unknown(name):
        return None
    if KINDS[name] not in "iu" or SIZES[name] < 4:
        return None
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int):
            return None
    return values


def nested(values, shape):
    """Flat elements as nested lists."""
    if len(shape) == 0:
        return values[0]
    if len(shape) == 1:
        return list(values)
    step = product(shape[1:])
    return [nested(values[row * step : (row + 1) * step], shape[1:]) for row in range(shape[0])]
