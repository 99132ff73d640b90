"""`numpy.matrix`: two axes, whatever is done to it, and `*` multiplies matrices.

A matrix is an object around the array of its elements. What else a matrix inherits from `ndarray` is Unknown, and so is
what functions of arrays make of it.
"""

from _pytrope import array, dtype_of, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from ._array import _Array, ndarray
from ._convert import as_array_arg
from ._types import dtype_name
from .exceptions import AxisError
from .linalg import LinAlgError


class matrix(unknown("numpy.ndarray, which numpy.matrix is a subclass of")):
    """A matrix of known sizes, or of unknown ones."""

    _pytrope_converts = True

    def __init__(self, data, dtype=None, copy=True):
        self._cells = cells_of(data, dtype)

    @property
    def shape(self):
        return shape_of(self._cells)

    @shape.setter
    def shape(self, sizes):
        self._cells = unknown("a shape that is set")

    @property
    def ndim(self):
        return 2

    @property
    def size(self):
        return self._cells.size

    @property
    def dtype(self):
        return self._cells.dtype

    @property
    def T(self):
        return wrapped(self._cells.T)

    @property
    def H(self):
        return wrapped(self._cells.T)

    @property
    def A(self):
        return bare(self._cells)

    @property
    def A1(self):
        return bare(self._cells).ravel()

    @property
    def I(self):  # noqa: E743
        if is_unknown(self._cells):
            return unknown("the inverse of an unknown matrix")
        rows, columns = shape_of(self._cells)
        return wrapped(array(ndarray, (columns, rows), unknown("the dtype of an inverse")))

    def getT(self):
        return self.T

    def getA(self):
        return self.A

    def getA1(self):
        return self.A1

    def getI(self):
        return self.I

    def transpose(self, *axes):
        return unknown("a matrix with its axes in an order") if axes else self.T

    def copy(self, order="C"):
        return wrapped(bare(self._cells))

    def astype(self, dtype, *args, **kwargs):
        return wrapped(self._cells.astype(dtype))

    def flatten(self, order="C"):
        return wrapped(bare(self._cells).reshape((1, -1)))

    def ravel(self, order="C"):
        return self.flatten()

    def sum(self, axis=None, dtype=None, out=None):
        return reduced(self, "sum", axis, dtype, out)

    def prod(self, axis=None, dtype=None, out=None):
        return reduced(self, "prod", axis, dtype, out)

    def mean(self, axis=None, dtype=None, out=None):
        return reduced(self, "mean", axis, dtype, out)

    def std(self, axis=None, dtype=None, out=None, ddof=0):
        return reduced(self, "std", axis, dtype, out)

    def var(self, axis=None, dtype=None, out=None, ddof=0):
        return reduced(self, "var", axis, dtype, out)

    def max(self, axis=None, out=None):
        return reduced(self, "max", axis, None, out)

    def min(self, axis=None, out=None):
        return reduced(self, "min", axis, None, out)

    def any(self, axis=None, out=None):
        return reduced(self, "any", axis, None, out)

    def all(self, axis=None, out=None):
        return reduced(self, "all", axis, None, out)

    def dot(self, b, out=None):
        return multiplied(self, operand_of(b)) if out is None else unknown("a product that is stored elsewhere")

    def __array__(self, dtype=None, copy=None):
        return bare(self._cells) if dtype is None else bare(self._cells).astype(dtype)

    def __len__(self):
        return len(self._cells)

    def __iter__(self):
        return iter([wrapped(row.reshape((1, -1))) for row in self._cells])

    def __getitem__(self, index):
        return selected(self._cells, index)

    def __setitem__(self, index, value):
        stored = operand_of(value)
        if is_unknown(self._cells):
            return
        # What is selected is a matrix too: `x[:, 1] = y` takes a column, and no array of one axis.
        # Which class a sequence for one element raises depends on the element type.
        place = self[index]
        if not is_unknown(stored) and not is_unknown(place) and isinstance(place, matrix):
            place._cells[...] = bare(stored)

    def __add__(self, other):
        return elementwise(self, other, "add")

    def __radd__(self, other):
        return elementwise(self, other, "add")

    def __sub__(self, other):
        return elementwise(self, other, "subtract")

    def __rsub__(self, other):
        return elementwise(self, other, "subtract")

    def __truediv__(self, other):
        return elementwise(self, other, "divide")

    def __rtruediv__(self, other):
        return elementwise(self, other, "divide")

    def __neg__(self):
        return wrapped(-self._cells)

    def __mul__(self, other):
        if is_array(other, _Array) or isinstance(other, (list, tuple)):
            # An array of one axis is a row.
            return multiplied(self, cells_of(other, None))
        return multiplied(self, operand_of(other))

    def __rmul__(self, other):
        left = operand_of(other)
        if is_unknown(left) or is_unknown(self._cells):
            return unknown("a product with an unknown operand")
        return matrix_or_unknown(left.dot(self._cells))

    def __matmul__(self, other):
        right = operand_of(other)
        if is_unknown(right) or is_unknown(self._cells) or not has_rank(shape_of(right)):
            return unknown("a product with an unknown operand")
        return matrix_or_unknown(self._cells @ right)

    def __rmatmul__(self, other):
        left = operand_of(other)
        if is_unknown(left) or is_unknown(self._cells) or not has_rank(shape_of(left)):
            return unknown("a product with an unknown operand")
        return matrix_or_unknown(left @ self._cells)

    def __pow__(self, other):
        if is_unknown(self._cells) or not is_constant(other) or not isinstance(other, int):
            return unknown("a power of a matrix")
        rows, columns = shape_of(self._cells)
        require(
            rows == columns,
            LinAlgError,
            f"a power needs a square matrix, not {rows} × {columns}",
            rule="linalg-not-square",
        )
        return wrapped(array(ndarray, (rows, columns), unknown("the dtype of a power")))


def bare(cells):
    """The elements as an array of their own, whose values are not followed."""
    return cells if is_unknown(cells) else array(ndarray, shape_of(cells), dtype_of(cells))


def wrapped(cells):
    """A matrix around an array of two axes; Unknown where that is not known."""
    if is_unknown(cells) or not has_rank(shape_of(cells)) or len(shape_of(cells)) != 2:
        return unknown("a matrix of unknown sizes")
    made = matrix(0)
    made._cells = cells
    return made


def matrix_or_unknown(result):
    """A product as a matrix: two axes stay, and one axis becomes a row."""
    if is_array(result, ndarray) and has_rank(shape_of(result)) and len(shape_of(result)) == 1:
        return wrapped(bare(result).reshape((1, -1)))
    return wrapped(result) if is_array(result, ndarray) else unknown("a product of another rank")


def cells_of(data, dtype):
    """The elements of a matrix that is made of an argument."""
    if isinstance(data, matrix):
        return bare(data._cells)
    if isinstance(data, str):
        return cells_of_text(data) if is_constant(data) else unknown("a matrix from a text")
    if dtype is not None and is_unknown(dtype_name(dtype)):
        # Objects may be ragged sequences.
        return unknown("elements of an unknown type")
    given = as_array_arg(data)
    if is_unknown(given) or not has_rank(shape_of(given)):
        return unknown("a matrix from an unknown value")
    sizes = shape_of(given)
    require(len(sizes) <= 2, ValueError, f"a matrix has two axes, not shape {sizes}", rule="shape-argument")
    return array(ndarray, (1,) * (2 - len(sizes)) + sizes, dtype_name(dtype, dtype_of(given)))


def cells_of_text(text):
    """The elements of `"1 2; 3 4"`."""
    rows = [row.replace(",", " ").split() for row in text.split(";")]
    for row in rows:
        require(
            len(row) == len(rows[0]),
            ValueError,
            f"the rows of a matrix have {len(rows[0])} and {len(row)} elements",
            rule="shape-argument",
        )
    return array(ndarray, (len(rows), len(rows[0])), unknown("the dtype of a text"))


def operand_of(other):
    """The other operand as an array."""
    if isinstance(other, matrix):
        return other._cells
    return as_array_arg(other)


def multiplied(left, right):
    """`dot` of a matrix and an array."""
    if is_unknown(left._cells) or is_unknown(right) or not has_rank(shape_of(right)):
        return unknown("a product with an unknown operand")
    return matrix_or_unknown(left._cells.dot(right))


def elementwise(left, other, operation):
    """An operation on each element."""
    right = operand_of(other)
    if is_unknown(left._cells) or is_unknown(right) or not has_rank(shape_of(right)) or len(shape_of(right)) > 2:
        return unknown("an operation with an unknown operand")
    if operation == "divide":
        return wrapped(left._cells / right)
    return wrapped(left._cells + right if operation == "add" else left._cells - right)


def reduced(source, operation, axis, dtype, out):
    """A reduction: along an axis two axes stay, and without one it is a number."""
    if is_unknown(source._cells) or out is not None or not is_constant(axis):
        return unknown("a reduction of an unknown matrix")
    if axis is None:
        return unknown("a number")
    require(
        not isinstance(axis, int) or -2 <= axis <= 1,
        AxisError,
        f"axis {axis} is out of range for a matrix",
        rule="axis-out-of-range",
    )
    if not isinstance(axis, int):
        return unknown("a reduction along several axes")
    kept = getattr(array(ndarray, shape_of(source._cells), dtype_of(source._cells)), operation)(
        axis=axis, keepdims=True
    )
    return wrapped(kept)


def selected(cells, index):
    """What an index selects: one axis that is left is a column if the second index is a number, and else a row."""
    if is_unknown(cells) or is_unknown(index):
        return unknown("a part of an unknown matrix")
    taken = cells[index]
    if is_unknown(taken) or not is_array(taken, ndarray):
        return taken
    sizes = shape_of(taken)
    if not has_rank(sizes) or len(sizes) == 2:
        return wrapped(taken)
    if len(sizes) != 1:
        return unknown("a part of a matrix")
    if isinstance(index, tuple) and len(index) > 1 and not is_array(index[1]) and isinstance(index[1], int):
        return wrapped(taken.reshape((-1, 1)))
    return wrapped(taken.reshape((1, -1)))


def asmatrix(data, dtype=None):
    """A matrix that shares its elements with an array."""
    return data if isinstance(data, matrix) and dtype is None else matrix(data, dtype)
