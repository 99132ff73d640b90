"""`numpy.linalg`: products, decompositions, norms, systems of equations."""

from _pytrope import (
    array,
    array_like,
    broadcast,
    dtype_of,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    lifted,
    matmul_shape,
    proved,
    require,
    shape_of,
    unknown,
)

from _shapes import as_index, check_axes, drop_axis, reduce_shape, smaller

from .._array import ndarray, wrap
from .._convert import as_array_arg, sequence
from .._dtypes import complex_of, mean_of, promote, real_of, strong
from .._out import into
from ..creation import converted
from ..exceptions import AxisError
from ..manipulation import diagonal as _diagonal, matrix_transpose, trace as _trace
from ..products import cross, matmul, outer as _outer, tensordot, vecdot


class LinAlgError(ValueError):
    """A matrix without the property that a function needs."""


def array_of_any(x):
    """An argument as an array; arrays of other libraries are converted, or refuse."""
    return as_array_arg(converted(x))


def inexact_of(a):
    """The type computed in: single or double precision."""
    return mean_of(dtype_of(a))


def matrix(a, what):
    """An argument with at least two axes; None when it is not known."""
    a = as_array_arg(a)
    if is_unknown(a) or not has_rank(shape_of(a)):
        return None
    shape = shape_of(a)
    require(
        len(shape) >= 2, LinAlgError, f"{what} needs a matrix, not an array of shape {shape}", rule="linalg-not-square"
    )
    return a


def square(a, what):
    """An argument whose last two axes are equal; None when it is not known."""
    a = matrix(a, what)
    if a is None:
        return None
    shape = shape_of(a)
    require(
        shape[-1] == shape[-2],
        LinAlgError,
        f"{what} needs a square matrix, not shape {shape}: {shape[-2]} ≠ {shape[-1]}",
        rule="linalg-not-square",
    )
    return a


def inv(a):
    a = square(a, "inv")
    if a is None:
        return unknown("the inverse of an unknown array")
    return array(ndarray, shape_of(a), inexact_of(a))


def det(a):
    a = square(a, "det")
    if a is None:
        return unknown("the determinant of an unknown array")
    return wrap(shape_of(a)[:-2], inexact_of(a))


class SlogdetResult:
    """Sign and logarithm of a determinant."""

    def __init__(self, sign, logabsdet):
        self.sign = sign
        self.logabsdet = logabsdet

    def __iter__(self):
        return iter((self.sign, self.logabsdet))

    def __getitem__(self, key):
        return (self.sign, self.logabsdet)[key]

    def __len__(self):
        return 2


def slogdet(a):
    a = square(a, "slogdet")
    if a is None:
        return unknown("the determinant of an unknown array")
    return SlogdetResult(wrap(shape_of(a)[:-2], inexact_of(a)), wrap(shape_of(a)[:-2], real_of(inexact_of(a))))


class EigResult:
    """Eigenvalues and eigenvectors."""

    def __init__(self, eigenvalues, eigenvectors):
        self.eigenvalues = eigenvalues
        self.eigenvectors = eigenvectors

    def __iter__(self):
        return iter((self.eigenvalues, self.eigenvectors))

    def __getitem__(self, key):
        return (self.eigenvalues, self.eigenvectors)[key]

    def __len__(self):
        return 2


def eig(a):
    a = square(a, "eig")
    if a is None:
        return unknown("eigenvalues of an unknown array")
    shape = shape_of(a)
    return EigResult(
        array(ndarray, shape[:-1], unknown("real or complex")), array(ndarray, shape, unknown("real or complex"))
    )


def eigh(a, UPLO="L"):
    a = square(a, "eigh")
    if a is None:
        return unknown("eigenvalues of an unknown array")
    shape = shape_of(a)
    return EigResult(array(ndarray, shape[:-1], real_of(inexact_of(a))), array(ndarray, shape, inexact_of(a)))


def eigvals(a):
    a = square(a, "eigvals")
    if a is None:
        return unknown("eigenvalues of an unknown array")
    return array(ndarray, shape_of(a)[:-1], unknown("real or complex"))


def eigvalsh(a, UPLO="L"):
    a = square(a, "eigvalsh")
    if a is None:
        return unknown("eigenvalues of an unknown array")
    return array(ndarray, shape_of(a)[:-1], real_of(inexact_of(a)))


def cholesky(a, /, *, upper=False):
    a = square(a, "cholesky")
    if a is None:
        return unknown("a factor of an unknown array")
    return array(ndarray, shape_of(a), inexact_of(a))


class QRResult:
    """The factors of a QR decomposition."""

    def __init__(self, Q, R):
        self.Q = Q
        self.R = R

    def __iter__(self):
        return iter((self.Q, self.R))

    def __getitem__(self, key):
        return (self.Q, self.R)[key]

    def __len__(self):
        return 2


def qr(a, mode="reduced"):
    if not is_constant(mode):
        return unknown("a QR decomposition in an unknown mode")
    if mode in ("full", "f", "economic", "e"):
        return unknown("factors in an outdated mode")
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"unknown mode '{mode}' of qr")
    a = matrix(a, "qr")
    if a is None:
        return unknown("factors of an unknown array")
    shape = shape_of(a)
    rows, columns = shape[-2], shape[-1]
    least = smaller(rows, columns)
    name = inexact_of(a)
    if mode == "r":
        return array(ndarray, shape[:-2] + (least, columns), name)
    if mode == "reduced":
        return QRResult(
            array(ndarray, shape[:-1] + (least,), name), array(ndarray, shape[:-2] + (least, columns), name)
        )
    if mode == "complete":
        return QRResult(array(ndarray, shape[:-1] + (rows,), name), array(ndarray, shape, name))
    return unknown("raw factors")


class SVDResult:
    """The factors of a singular value decomposition."""

    def __init__(self, U, S, Vh):
        self.U = U
        self.S = S
        self.Vh = Vh

    def __iter__(self):
        return iter((self.U, self.S, self.Vh))

    def __getitem__(self, key):
        return (self.U, self.S, self.Vh)[key]

    def __len__(self):
        return 3


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    a = matrix(a, "svd")
    if a is None:
        return unknown("factors of an unknown array")
    shape = shape_of(a)
    rows, columns = shape[-2], shape[-1]
    least = smaller(rows, columns)
    name = inexact_of(a)
    values = array(ndarray, shape[:-2] + (least,), real_of(name))
    if compute_uv is False:
        return values
    if compute_uv is not True or not is_constant(full_matrices):
        return unknown("a decomposition with unknown options")
    batch = shape[:-2]
    if full_matrices:
        return SVDResult(
            array(ndarray, batch + (rows, rows), name), values, array(ndarray, batch + (columns, columns), name)
        )
    return SVDResult(
        array(ndarray, batch + (rows, least), name), values, array(ndarray, batch + (least, columns), name)
    )


def svdvals(x, /):
    return svd(x, compute_uv=False)


def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    a = matrix(a, "pinv")
    if a is None:
        return unknown("the inverse of an unknown array")
    shape = shape_of(a)
    return array(ndarray, shape[:-2] + (shape[-1], shape[-2]), inexact_of(a))


@lifted(as_array_arg, "A", ranked=True)
def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    if (
        len(shape_of(A)) < 2
        or is_array(tol)
        or is_array(rtol)
        or isinstance(tol, (list, tuple))
        or isinstance(rtol, (list, tuple))
    ):
        return unknown("the rank of a vector, or by several limits")
    return wrap(shape_of(A)[:-2], "int64")


def cond(x, p=None):
    a = matrix(x, "cond")
    if a is None:
        return unknown("the condition of an unknown array")
    return wrap(shape_of(a)[:-2], real_of(inexact_of(a)))


def matrix_power(a, n):
    a = square(a, "matrix_power")
    n = as_index(n)
    if isinstance(n, float):
        raise TypeError("the exponent of a matrix power must be an integer")
    if a is None:
        return unknown("the power of an unknown array")
    return array(ndarray, shape_of(a), dtype_of(a) if is_constant(n) and n >= 0 else inexact_of(a))


@lifted(array_of_any, "x")
def norm(x, ord=None, axis=None, keepdims=False):
    shape = shape_of(x)
    name = real_of(inexact_of(x))
    if axis is None:
        if ord is not None and has_rank(shape):
            require(
                len(shape) in (1, 2),
                ValueError,
                f"a norm of order {ord} needs a vector or a matrix, not shape {shape}: name an axis",
                rule="shape-argument",
            )
        return wrap(reduce_shape(shape, None, keepdims, AxisError), name)
    if has_rank(shape):
        axes = check_axes(axis, len(shape), AxisError, shape)
        if not is_unknown(axes):
            require(len(axes) in (1, 2), ValueError, "a norm is taken over one or two axes", rule="axis-out-of-range")
    return wrap(reduce_shape(shape, axis, keepdims, AxisError), name)


@lifted(as_array_arg, "x")
def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    if ord is not None and not isinstance(ord, (int, float)):
        return unknown("a norm of several orders")
    return wrap(reduce_shape(shape_of(x), axis, keepdims, AxisError), real_of(inexact_of(x)))


@lifted(as_array_arg, "x", ranked=True)
def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    return wrap(reduce_shape(shape_of(x), (-2, -1), keepdims, AxisError), real_of(inexact_of(x)))


def solve(a, b):
    a = square(a, "solve")
    if a is None:
        return unknown("the solution of an unknown system")
    right = as_array_arg(b)
    if is_unknown(right) or not has_rank(shape_of(right)):
        return unknown("the solution of an unknown system")
    left_shape, shape = shape_of(a), shape_of(right)
    side = left_shape[-1]
    name = mean_of(strong_pair(a, right))
    if len(shape) == 1:
        require(
            shape[0] == side,
            ValueError,
            f"the system {left_shape} has {side} unknowns, the right side {shape} has {shape[0]}",
            rule="matmul-mismatch",
        )
        return array(ndarray, left_shape[:-1], name)
    require(len(shape) >= 2, ValueError, "the right side of a system needs at least a vector", rule="matmul-mismatch")
    require(
        shape[-2] == side,
        ValueError,
        f"the system {left_shape} has {side} unknowns, the right side {shape} has {shape[-2]} rows",
        rule="matmul-mismatch",
    )
    return array(ndarray, broadcast(left_shape[:-2], shape[:-2]) + shape[-2:], name)


def strong_pair(a, b):
    """The dtype of two arrays together."""
    if is_unknown(dtype_of(a)) or is_unknown(dtype_of(b)):
        return unknown("the dtype of a solution")
    return promote(dtype_of(a), dtype_of(b))


@lifted(as_array_arg, "a", "b", ranked=True)
def lstsq(a, b, rcond=None):
    x, y = shape_of(a), shape_of(b)
    require(len(x) == 2, LinAlgError, f"least squares need a matrix, not shape {x}", rule="linalg-not-square")
    require(
        len(y) in (1, 2),
        LinAlgError,
        f"the right side must be a vector or a matrix, not shape {y}",
        rule="linalg-not-square",
    )
    require(
        x[0] == y[0],
        LinAlgError,
        f"{x[0]} equations, but {y[0]} right sides: shapes {x} and {y}",
        rule="matmul-mismatch",
    )
    name = mean_of(strong_pair(a, b))
    return (
        array(ndarray, (x[1],) + y[1:], name),
        array(ndarray, (unknown("the number of residuals"),), real_of(name)),
        wrap((), "int32"),
        array(ndarray, (smaller(x[0], x[1]),), real_of(name)),
    )


def multi_dot(arrays, *, out=None):
    if out is not None:
        return into(out)
    arrays = sequence(arrays)
    if is_unknown(arrays):
        return unknown("a product of unknown matrices")
    require(len(arrays) >= 2, ValueError, "multi_dot needs at least two arrays", rule="matmul-mismatch")
    shape = shape_of(arrays[0])
    name = dtype_of(arrays[0])
    if has_rank(shape) and len(shape) == 0:
        return unknown("a product with a scalar")
    for one in arrays[1:]:
        if has_rank(shape_of(one)) and len(shape_of(one)) == 0:
            return unknown("a product with a scalar")
        shape = matmul_shape(shape, shape_of(one))
        if is_unknown(name) or is_unknown(dtype_of(one)):
            name = unknown("the dtype of a product")
        else:
            name = promote(name, dtype_of(one))
    return wrap(shape, name)


def tensorinv(a, ind=2):
    return unknown("a tensor inverse")


def tensorsolve(a, b, axes=None):
    return unknown("a tensor solution")


@lifted(as_array_arg, "x1", "x2", ranked=True)
def outer(x1, x2, /):
    require(
        len(shape_of(x1)) == 1 and len(shape_of(x2)) == 1,
        ValueError,
        f"linalg.outer needs vectors, not {shape_of(x1)} and {shape_of(x2)}",
        rule="shape-argument",
    )
    return _outer(x1, x2)


def diagonal(x, /, *, offset=0):
    return _diagonal(x, offset, -2, -1)


def trace(x, /, *, offset=0, dtype=None):
    return _trace(x, offset, -2, -1)
