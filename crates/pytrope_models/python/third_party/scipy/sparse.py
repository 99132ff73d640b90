"""`scipy.sparse`: matrices and arrays of two axes, by their shapes. What they hold, and how, is not followed."""

from _pytrope import (
    array,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    matmul_shape,
    proved,
    require,
    shape_of,
    unknown,
)

from _open import OpenOperators
from _shapes import as_sizes

from numpy import ndarray
from numpy._operators import DeferredTo

from ._arguments import is_count, ranked_arg, untyped


class _Sparse(DeferredTo, OpenOperators):
    """Base of all formats. An instance has a shape of two sizes, or an Unknown one."""

    def __init__(self, arg1, shape=None, dtype=None, copy=False, **options):
        self._pytrope_sizes = shape_given(arg1, shape)

    def __getattr__(self, name):
        if name in ("resize", "_shape", "set_shape"):
            self._pytrope_sizes = unknown("a shape that is set")
        return unknown("a part of a sparse matrix that is not modelled")

    @property
    def shape(self):
        return self._pytrope_sizes

    @shape.setter
    def shape(self, sizes):
        self._pytrope_sizes = two_sizes(as_sizes(sizes))

    @property
    def ndim(self):
        return unknown("a number of axes") if is_unknown(self._pytrope_sizes) else 2

    @property
    def T(self):
        return self.transpose()

    def transpose(self, axes=None, copy=False):
        sizes = self._pytrope_sizes
        return of_class(TRANSPOSED[type(self)], sizes if is_unknown(sizes) else (sizes[1], sizes[0]))

    def toarray(self, order=None, out=None):
        return (
            unknown("an array") if is_unknown(self._pytrope_sizes) or out is not None else untyped(self._pytrope_sizes)
        )

    def copy(self):
        return of_class(type(self), self._pytrope_sizes)

    def astype(self, dtype, casting="unsafe", copy=True):
        return of_class(type(self), self._pytrope_sizes)

    def asformat(self, format, copy=False):
        return in_format(format, isinstance(self, spmatrix), self._pytrope_sizes)

    def tocsr(self, copy=False):
        return self.asformat("csr")

    def tocsc(self, copy=False):
        return self.asformat("csc")

    def tocoo(self, copy=False):
        return self.asformat("coo")

    def tolil(self, copy=False):
        return self.asformat("lil")

    def todok(self, copy=False):
        return self.asformat("dok")

    def todia(self, copy=False):
        return self.asformat("dia")

    def dot(self, other):
        return multiplied(self, other)

    def __matmul__(self, other):
        return multiplied(self, other)

    def __rmatmul__(self, other):
        given = ranked_arg(other)
        if is_unknown(given) or is_unknown(self._pytrope_sizes) or len(shape_of(given)) not in (1, 2):
            return unknown("a product with a sparse matrix")
        return untyped(matmul_shape(shape_of(given), self._pytrope_sizes, error=ValueError))

    def __add__(self, other):
        return summed(self, other)

    def __sub__(self, other):
        return summed(self, other)


class spmatrix:
    """Matrices; `*` multiplies matrices."""


class sparray:
    """Arrays; `*` multiplies elements."""


class csr_matrix(spmatrix, _Sparse):
    pass


class csc_matrix(spmatrix, _Sparse):
    pass


class coo_matrix(spmatrix, _Sparse):
    pass


class lil_matrix(spmatrix, _Sparse):
    pass


class dok_matrix(spmatrix, _Sparse):
    pass


class dia_matrix(spmatrix, _Sparse):
    pass


class bsr_matrix(spmatrix, _Sparse):
    pass


class csr_array(sparray, _Sparse):
    pass


class csc_array(sparray, _Sparse):
    pass


class coo_array(sparray, _Sparse):
    pass


class lil_array(sparray, _Sparse):
    pass


class dok_array(sparray, _Sparse):
    pass


class dia_array(sparray, _Sparse):
    pass


class bsr_array(sparray, _Sparse):
    pass


# What a transposed matrix is.
TRANSPOSED = {
    csr_matrix: csc_matrix,
    csc_matrix: csr_matrix,
    coo_matrix: coo_matrix,
    lil_matrix: lil_matrix,
    dok_matrix: dok_matrix,
    dia_matrix: dia_matrix,
    bsr_matrix: bsr_matrix,
    csr_array: csc_array,
    csc_array: csr_array,
    coo_array: coo_array,
    lil_array: lil_array,
    dok_array: dok_array,
    dia_array: dia_array,
    bsr_array: bsr_array,
}
FORMATS = {
    "csr": (csr_matrix, csr_array),
    "csc": (csc_matrix, csc_array),
    "coo": (coo_matrix, coo_array),
    "lil": (lil_matrix, lil_array),
    "dok": (dok_matrix, dok_array),
    "dia": (dia_matrix, dia_array),
    "bsr": (bsr_matrix, bsr_array),
}


def shape_given(arg1, shape):
    """The shape that a constructor is given: named, of a dense array, or as `(rows, columns)` alone."""
    if shape is not None:
        return two_sizes(as_sizes(shape))
    if is_unknown(arg1):
        return unknown("the shape of an unknown value")
    if isinstance(arg1, _Sparse):
        return arg1._pytrope_sizes
    if isinstance(arg1, tuple):
        if has_rank(arg1) and len(arg1) == 2 and isinstance(arg1[0], int) and isinstance(arg1[1], int):
            return arg1
        return unknown("a shape that follows from the elements")
    dense = ranked_arg(arg1)
    return unknown("the shape of an unknown value") if is_unknown(dense) else two_sizes(shape_of(dense))


def two_sizes(sizes):
    if is_unknown(sizes) or not has_rank(sizes) or len(sizes) != 2:
        return unknown("a shape that is not of a matrix")
    return sizes


def of_class(cls, sizes):
    """A sparse matrix of a format and shape."""
    made = cls((0, 0))
    made._pytrope_sizes = sizes
    return made


def in_format(format, is_matrix, sizes):
    """The same by the name of the format; Unknown for one that is not known."""
    if not is_constant(format) or format not in FORMATS:
        return unknown("a sparse matrix in an unknown format")
    return of_class(FORMATS[format][0 if is_matrix else 1], sizes)


def multiplied(a, b):
    """A matrix product with a dense array or another sparse one. Which format a sparse product has depends on both."""
    if is_unknown(b) or is_unknown(a._pytrope_sizes):
        return unknown("a product with a sparse matrix")
    if isinstance(b, _Sparse):
        if not is_unknown(b._pytrope_sizes):
            matmul_shape(a._pytrope_sizes, b._pytrope_sizes, error=ValueError)
        return unknown("a product of sparse matrices")
    if not is_array(b, ndarray) or not has_rank(shape_of(b)) or len(shape_of(b)) not in (1, 2):
        return unknown("a product with a sparse matrix")
    return untyped(matmul_shape(a._pytrope_sizes, shape_of(b), error=ValueError))


def summed(a, b):
    """A sum of sparse operands; one size against 1 is added by some releases and refused by others."""
    if is_unknown(b) or not isinstance(b, _Sparse):
        return unknown("a sum with a sparse matrix")
    left, right = a._pytrope_sizes, b._pytrope_sizes
    if is_unknown(left) or is_unknown(right):
        return unknown("a sum with a sparse matrix")
    for n, m in zip(left, right):
        if not is_constant(n) or not is_constant(m) or n == 1 or m == 1:
            return unknown("a sum with a sparse matrix")
    require(
        left[0] == right[0] and left[1] == right[1],
        ValueError,
        f"cannot add sparse matrices of shapes {left} and {right}",
        rule="broadcast-mismatch",
    )
    return unknown("a sum of sparse matrices")


def issparse(x):
    if is_unknown(x):
        return unknown("whether a value is sparse")
    if isinstance(x, _Sparse):
        return True
    is_other = is_array(x, ndarray) or isinstance(x, (int, float, str, list, tuple, dict))
    return False if is_other else unknown("whether a value is sparse")


def is_size(n):
    return n is None or is_count(n)


def eye(m, n=None, k=0, dtype=float, format=None):
    if not is_count(m) or not is_size(n):
        return unknown("a matrix of unknown size")
    return in_format("dia" if format is None else format, True, (m, m if n is None else n))


def eye_array(m, n=None, *, k=0, dtype=float, format=None):
    if not is_count(m) or not is_size(n):
        return unknown("an array of unknown size")
    return in_format("dia" if format is None else format, False, (m, m if n is None else n))


def identity(n, dtype="d", format=None):
    return eye(n, format=format)


def random(m, n, density=0.01, format="coo", dtype=None, **options):
    return in_format(format, True, (m, n)) if is_count(m) and is_count(n) else unknown("a matrix of unknown size")


def joined(blocks, along):
    """Blocks side by side or below each other: the other size is shared. The format depends on theirs."""
    if not isinstance(blocks, (list, tuple)) or not has_rank(blocks):
        return unknown("unknown blocks")
    shared = None
    for one in blocks:
        if is_unknown(one) or not isinstance(one, _Sparse) or is_unknown(one._pytrope_sizes):
            return unknown("unknown blocks")
        other = one._pytrope_sizes[1 - along]
        if not is_constant(other):
            return unknown("unknown blocks")
        if shared is None:
            shared = other
        require(
            shared == other,
            ValueError,
            f"blocks with {shared} and {other} {'rows' if along == 1 else 'columns'} do not fit together",
            rule="concat-mismatch",
        )
    return unknown("a matrix of sparse blocks")


def hstack(blocks, format=None, dtype=None):
    return joined(blocks, 1)


def vstack(blocks, format=None, dtype=None):
    return joined(blocks, 0)
