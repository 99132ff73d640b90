"""`scipy.linalg`: decompositions, solutions, special matrices. Batches, which old releases refuse, are Unknown."""

from _pytrope import array, dtype_of, has_rank, is_constant, is_unknown, require, shape_of, unknown

from _shapes import smaller

from numpy import ndarray
from numpy._dtypes import promote
from numpy.linalg import LinAlgError, norm as _norm

from ._arguments import float_array, is_count, ranked_arg, untyped


def matrix_arg(a, what, error=ValueError):
    """A matrix; Unknown for batches and for what is not known."""
    a = ranked_arg(a)
    if is_unknown(a):
        return a
    shape = shape_of(a)
    require(len(shape) >= 2, error, f"{what} needs a matrix, not an array of shape {shape}", rule="linalg-not-square")
    return a if len(shape) == 2 else unknown("a batch of matrices")


def square_arg(a, what, error=ValueError):
    """A matrix with as many rows as columns."""
    a = matrix_arg(a, what, error)
    if is_unknown(a):
        return a
    rows, columns = shape_of(a)
    require(
        rows == columns,
        error,
        f"{what} needs a square matrix, not shape {shape_of(a)}: {rows} ≠ {columns}",
        rule="linalg-not-square",
    )
    return a


def inv(a, overwrite_a=False, check_finite=True, **options):
    a = square_arg(a, "inv")
    return a if is_unknown(a) else float_array(shape_of(a), a)


def det(a, overwrite_a=False, check_finite=True):
    a = square_arg(a, "det")
    return a if is_unknown(a) else unknown("a determinant")


def eig(a, b=None, left=False, right=True, overwrite_a=False, overwrite_b=False, check_finite=True, **options):
    a = square_arg(a, "eig")
    if is_unknown(a) or b is not None or left is not False or right is not True:
        return unknown("eigenvalues")
    return untyped(shape_of(a)[:1]), untyped(shape_of(a))


def eigvals(a, b=None, overwrite_a=False, check_finite=True, **options):
    a = square_arg(a, "eigvals")
    return unknown("eigenvalues") if is_unknown(a) or b is not None else untyped(shape_of(a)[:1])


def eigh(a, b=None, *, lower=True, eigvals_only=False, subset_by_index=None, subset_by_value=None, **options):
    a = square_arg(a, "eigh")
    if is_unknown(a) or eigvals_only is not False or subset_by_index is not None or subset_by_value is not None:
        return unknown("eigenvalues")
    return float_array(shape_of(a)[:1], a), float_array(shape_of(a), a)


def eigvalsh(a, b=None, *, lower=True, subset_by_index=None, subset_by_value=None, **options):
    a = square_arg(a, "eigvalsh")
    if is_unknown(a) or subset_by_index is not None or subset_by_value is not None:
        return unknown("eigenvalues")
    return float_array(shape_of(a)[:1], a)


def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    a = matrix_arg(a, "svd")
    if is_unknown(a) or not is_constant(compute_uv) or not is_constant(full_matrices):
        return unknown("a singular value decomposition")
    rows, columns = shape_of(a)
    least = smaller(rows, columns)
    values = float_array((least,), a)
    if not compute_uv:
        return values
    if full_matrices:
        return float_array((rows, rows), a), values, float_array((columns, columns), a)
    return float_array((rows, least), a), values, float_array((least, columns), a)


def svdvals(a, overwrite_a=False, check_finite=True):
    return svd(a, compute_uv=False)


def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    a = matrix_arg(a, "qr")
    if is_unknown(a) or not is_constant(mode) or not is_constant(pivoting) or mode not in ("full", "economic", "r"):
        return unknown("a QR decomposition")
    rows, columns = shape_of(a)
    least = smaller(rows, columns)
    if mode == "economic":
        parts = (float_array((rows, least), a), float_array((least, columns), a))
    elif mode == "full":
        parts = (float_array((rows, rows), a), float_array((rows, columns), a))
    else:
        parts = (float_array((rows, columns), a),)
    return parts + (array(ndarray, (columns,), "int32"),) if pivoting else parts


def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    a = matrix_arg(a, "lu")
    if is_unknown(a) or permute_l is not False or p_indices is not False:
        return unknown("an LU decomposition")
    rows, columns = shape_of(a)
    least = smaller(rows, columns)
    return float_array((rows, rows), a), float_array((rows, least), a), float_array((least, columns), a)


def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    a = matrix_arg(a, "pinv")
    if is_unknown(a) or return_rank is not False:
        return unknown("an inverse")
    return float_array((shape_of(a)[1], shape_of(a)[0]), a)


def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    a = ranked_arg(a)
    return unknown("a norm") if is_unknown(a) or len(shape_of(a)) > 2 else _norm(a, ord, axis, keepdims)


def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    a = square_arg(a, "cholesky")
    return a if is_unknown(a) else float_array(shape_of(a), a)


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    return cholesky(a, lower), lower


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    if not isinstance(c_and_lower, tuple) or not has_rank(c_and_lower) or len(c_and_lower) != 2:
        return unknown("a solution")
    return solve_system(c_and_lower[0], b, "cho_solve")


def solve_system(a, b, what):
    """One unknown for each row of a square matrix."""
    a = square_arg(a, what)
    b = ranked_arg(b)
    if is_unknown(a) or is_unknown(b):
        return unknown("the solution of an unknown system")
    side, right = shape_of(a)[0], shape_of(b)
    if len(right) not in (1, 2):
        return unknown("the solution of a batch of systems")
    require(
        right[0] == side,
        ValueError,
        f"{what}: {side} equations, but right sides of shape {right}",
        rule="matmul-mismatch",
    )
    return float_array(right, a, b)


def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False):
    return solve_system(a, b, "solve")


def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True):
    return solve_system(a, b, "solve_triangular")


def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
    a = matrix_arg(a, "lstsq")
    b = ranked_arg(b)
    if is_unknown(a) or is_unknown(b) or len(shape_of(b)) not in (1, 2):
        return unknown("a least-squares solution")
    rows, columns = shape_of(a)
    right = shape_of(b)
    require(
        right[0] == rows,
        ValueError,
        f"lstsq: {rows} equations, but right sides of shape {right}",
        rule="matmul-mismatch",
    )
    solution = float_array((columns,) + right[1:], a, b)
    return solution, unknown("residues"), unknown("the rank of a matrix"), float_array((smaller(rows, columns),), a, b)


def function_of_matrix(a, what, error):
    """A function of a square matrix, such as its exponential; the element type depends on the elements."""
    a = square_arg(a, what, error)
    return a if is_unknown(a) else untyped(shape_of(a))


def expm(A):
    return function_of_matrix(A, "expm", LinAlgError)


def logm(A, disp=True):
    return function_of_matrix(A, "logm", ValueError) if disp is True else unknown("a logarithm")


def sqrtm(A, disp=True, blocksize=64):
    return function_of_matrix(A, "sqrtm", LinAlgError) if disp is True else unknown("a square root")


def schur(a, output="real", lwork=None, overwrite_a=False, sort=None, check_finite=True, **options):
    a = square_arg(a, "schur")
    if is_unknown(a) or sort is not None:
        return unknown("a Schur decomposition")
    return untyped(shape_of(a)), untyped(shape_of(a))


def hessenberg(a, calc_q=False, overwrite_a=False, check_finite=True):
    a = square_arg(a, "hessenberg")
    if is_unknown(a) or calc_q is not False:
        return unknown("a Hessenberg form")
    return untyped(shape_of(a))


def block_diag(*arrs):
    if not has_rank(arrs) or len(arrs) == 0:
        return unknown("unknown blocks")
    rows, columns = 0, 0
    for one in arrs:
        one = ranked_arg(one)
        if is_unknown(one) or len(shape_of(one)) > 2:
            return unknown("unknown blocks")
        shape = (1, 1) + shape_of(one)
        rows, columns = rows + shape[-2], columns + shape[-1]
    return untyped((rows, columns))


def two_vectors(c, r):
    """The matrix of a first column and a first or last row; the column serves as both."""
    c = ranked_arg(c)
    r = c if r is None else ranked_arg(r)
    if is_unknown(c) or is_unknown(r) or len(shape_of(c)) != 1 or len(shape_of(r)) != 1:
        return unknown("a matrix of unknown vectors")
    return array(ndarray, (shape_of(c)[0], shape_of(r)[0]), promote(dtype_of(c), dtype_of(r)))


def toeplitz(c, r=None):
    return two_vectors(c, r)


def hankel(c, r=None):
    return two_vectors(c, r)


def circulant(c):
    return two_vectors(c, None)


def square_of(n, dtype):
    return array(ndarray, (n, n), dtype) if is_count(n) else unknown("a matrix of unknown size")


def hilbert(n):
    return square_of(n, "float64")


def dft(n, scale=None):
    return square_of(n, "complex128")
