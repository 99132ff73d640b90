"""torch.linalg: square matrices, decompositions, norms."""

from _pytrope import broadcast, dtype_of, is_constant, is_unknown, lifted, product, proved, require, shape_of, unknown

from . import _dtypes, _products
from ._make import tensor_arg, ranked, tensor, unranked
from ._named_results import NamedResult
from ._reductions import reduced
from ._versions import IS_NEW, IS_OLD, UNSUPPORTED

LinAlgError = RuntimeError


def floats(x, name):
    kind = _dtypes.category(dtype_of(x))
    if not is_unknown(kind):
        if name == "eig" or name == "qr" and not IS_NEW:
            # torch.qr and torch.linalg.qr raise different classes, and so do the parts of eig.
            return
        error = RuntimeError if name in ("eigvals", "matrix_rank", "pinv") else UNSUPPORTED
        require(kind >= 2, error, f"{name} needs a floating point tensor, not {dtype_of(x)}", rule="bad-operand")


@lifted(tensor_arg, "A")
def matrix(A, name):
    """A batch of matrices."""
    # `torch.cholesky` returns at once if there are no elements.
    if ranked(A) and not (name == "cholesky" and proved(product(shape_of(A)) == 0)):
        require(
            len(shape_of(A)) >= 2,
            RuntimeError,
            f"{name} needs a matrix, not shape {shape_of(A)}",
            rule="linalg-not-square",
        )
    return A


def square(A, name):
    """A batch of square matrices."""
    x = matrix(A, name)
    if ranked(x):
        shape = shape_of(x)
        require(
            shape[-1] == shape[-2],
            RuntimeError,
            f"{name} needs a square matrix, not shape {shape}",
            rule="linalg-not-square",
        )
    floats(x, name)
    return x


def inv(A, *, out=None):
    x = square(A, "inv")
    return tensor(shape_of(x), dtype_of(x))


def cholesky(A, *, upper=False, out=None):
    given = tensor_arg(A, "A")
    if IS_OLD and ranked(given) and [size for size in shape_of(given) if not proved(size > 0)]:
        return given
    x = matrix(A, "cholesky")
    # `torch.cholesky` gives back what has no elements, square or not.
    if ranked(x) and not [size for size in shape_of(x) if not proved(size > 0)]:
        square(x, "cholesky")
    return tensor(shape_of(x), dtype_of(x))


def matrix_exp(A):
    x = square(A, "matrix_exp")
    return tensor(shape_of(x), dtype_of(x))


def matrix_power(A, n, *, out=None):
    x = matrix(A, "matrix_power")
    if ranked(x):
        shape = shape_of(x)
        require(
            shape[-1] == shape[-2],
            RuntimeError,
            f"matrix_power needs a square matrix, not shape {shape}",
            rule="linalg-not-square",
        )
    if is_constant(n) and isinstance(n, int) and n < 0:
        floats(x, "inv")
    return tensor(shape_of(x), dtype_of(x))


def batch(x):
    return shape_of(x)[:-2] if ranked(x) else unknown("the rank is not known")


def det(A, *, out=None):
    x = square(A, "det")
    return tensor(batch(x), dtype_of(x))


def logdet(A):
    x = square(A, "logdet")
    return tensor(batch(x), dtype_of(x))


def slogdet(A, *, out=None):
    x = square(A, "slogdet")
    sizes = tensor(batch(x), _dtypes.magnitude(dtype_of(x)))
    return NamedResult(sign=tensor(batch(x), dtype_of(x)), logabsdet=sizes)


def eigvals(A, *, out=None):
    x = square(A, "eigvals")
    return tensor(shape_of(x)[:-1] if ranked(x) else batch(x), _complex(dtype_of(x)))


def _complex(dtype):
    if is_unknown(dtype):
        return dtype
    return "complex128" if dtype in ("float64", "complex128") else "complex64"


def eig(A, *, out=None):
    x = square(A, "eig")
    return NamedResult(eigenvalues=eigvals(x), eigenvectors=tensor(shape_of(x), _complex(dtype_of(x))))


def eigvalsh(A, UPLO="L", *, out=None):
    x = square(A, "eigvalsh")
    return tensor(shape_of(x)[:-1] if ranked(x) else batch(x), _dtypes.magnitude(dtype_of(x)))


def eigh(A, UPLO="L", *, out=None):
    x = square(A, "eigh")
    return NamedResult(eigenvalues=eigvalsh(x), eigenvectors=tensor(shape_of(x), dtype_of(x)))


def smaller(a, b):
    """min of two sizes where that is decided, else Unknown."""
    if proved(a <= b):
        return a
    if proved(b <= a):
        return b
    return unknown("the smaller of two sizes")


def qr(A, mode="reduced", *, out=None):
    x = matrix(A, "qr")
    floats(x, "qr")
    if not ranked(x) or mode != "reduced":
        return NamedResult(Q=unranked(), R=unranked())
    shape = shape_of(x)
    k = smaller(shape[-2], shape[-1])
    return NamedResult(Q=tensor(shape[:-1] + (k,), dtype_of(x)), R=tensor(shape[:-2] + (k, shape[-1]), dtype_of(x)))


def qr_old(input, some=True, *, out=None):
    """torch.qr"""
    if IS_NEW:
        raise RuntimeError("torch.qr has been removed; torch.linalg.qr replaces it")
    return qr(input, "reduced" if some else "complete")


def geqrf(input, *, out=None):
    """A factorisation in the form of LAPACK."""
    x = matrix(input, "geqrf")
    floats(x, "geqrf")
    if not ranked(x):
        return NamedResult(a=unranked(), tau=unranked())
    shape = shape_of(x)
    return NamedResult(
        a=tensor(shape, dtype_of(x)), tau=tensor(shape[:-2] + (smaller(shape[-2], shape[-1]),), dtype_of(x))
    )


def lu_factor(A, *, pivot=True, out=None):
    x = matrix(A, "lu_factor")
    floats(x, "lu_factor")
    if not ranked(x):
        return NamedResult(LU=unranked(), pivots=unranked())
    shape = shape_of(x)
    pivots = tensor(shape[:-2] + (smaller(shape[-2], shape[-1]),), "int32")
    return NamedResult(LU=tensor(shape, dtype_of(x)), pivots=pivots)


def lu_old(input, pivot=True, get_infos=False, out=None):
    """torch.lu"""
    factors = lu_factor(input)
    return (factors[0], factors[1]) if get_infos is False else unknown("factors with further results")


def lu(A, *, pivot=True, out=None):
    x = matrix(A, "lu")
    floats(x, "lu")
    if not ranked(x):
        return NamedResult(P=unranked(), L=unranked(), U=unranked())
    shape = shape_of(x)
    rows, columns = shape[-2], shape[-1]
    k = smaller(rows, columns)
    return NamedResult(
        P=tensor(shape[:-2] + (rows, rows), dtype_of(x)),
        L=tensor(shape[:-2] + (rows, k), dtype_of(x)),
        U=tensor(shape[:-2] + (k, columns), dtype_of(x)),
    )


def inv_ex(A, *, check_errors=False, out=None):
    x = square(A, "inv_ex")
    return NamedResult(inverse=tensor(shape_of(x), dtype_of(x)), info=tensor(batch(x), "int32"))


def cholesky_ex(A, *, upper=False, check_errors=False, out=None):
    x = square(A, "cholesky_ex")
    return NamedResult(L=tensor(shape_of(x), dtype_of(x)), info=tensor(batch(x), "int32"))


def ldl_factor(A, *, hermitian=False, out=None):
    x = square(A, "ldl_factor")
    pivots = tensor(shape_of(x)[:-1] if ranked(x) else batch(x), "int32")
    return NamedResult(LD=tensor(shape_of(x), dtype_of(x)), pivots=pivots)


def solve_ex(A, B, *, left=True, check_errors=False, out=None):
    return NamedResult(result=solve(A, B, left=left), info=unknown("whether it was solved"))


def cond(A, p=None, *, out=None):
    x = matrix(A, "cond")
    floats(x, "cond")
    if not is_unknown(p) and p is not None and p != 2 and p != -2:
        square(x, "cond")
    return tensor(batch(x), _dtypes.magnitude(dtype_of(x)))


def triangular_solve(b, A, upper=True, transpose=False, unitriangular=False, *, out=None):
    """torch.triangular_solve"""
    return NamedResult(
        solution=solve_triangular(A, b, upper=upper), cloned_coefficient=unknown("the matrix that was used")
    )


def svd(A, full_matrices=True, *, driver=None, out=None):
    x = matrix(A, "svd")
    floats(x, "svd")
    if not ranked(x) or is_unknown(full_matrices):
        return NamedResult(U=unranked(), S=unranked(), Vh=unranked())
    shape = shape_of(x)
    rows = shape[-2]
    columns = shape[-1]
    k = smaller(rows, columns)
    left = shape[:-2] + (rows, rows if full_matrices else k)
    right = shape[:-2] + (columns if full_matrices else k, columns)
    sizes = tensor(shape[:-2] + (k,), _dtypes.magnitude(dtype_of(x)))
    return NamedResult(U=tensor(left, dtype_of(x)), S=sizes, Vh=tensor(right, dtype_of(x)))


def svd_old(input, some=True, compute_uv=True, *, out=None):
    """torch.svd: the right factor is not transposed."""
    u, s, v = svd(input, not some)
    return NamedResult(U=u, S=s, V=v.transpose(-2, -1))


def svdvals(A, *, driver=None, out=None):
    return svd(A, False)[1]


def _square_if(hermitian, x, name):
    """What is said to be its own adjoint has as many rows as columns."""
    if is_constant(hermitian) and hermitian is True and ranked(x):
        shape = shape_of(x)
        message = f"{name} of a hermitian matrix needs a square one, not shape {shape}"
        require(shape[-1] == shape[-2], RuntimeError, message, rule="linalg-not-square")


def matrix_rank(A, tol=None, *, atol=None, rtol=None, hermitian=False, out=None):
    x = matrix(A, "matrix_rank")
    _square_if(hermitian, x, "matrix_rank")
    floats(x, "matrix_rank")
    return tensor(batch(x), "int64")


def pinv(A, rcond=None, hermitian=False, *, atol=None, rtol=None, out=None):
    x = matrix(A, "pinv")
    _square_if(hermitian, x, "pinv")
    floats(x, "pinv")
    if not ranked(x):
        return unranked(dtype_of(x))
    shape = shape_of(x)
    return tensor(shape[:-2] + (shape[-1], shape[-2]), dtype_of(x))


def solve(A, B, *, left=True, out=None):
    x = square(A, "solve")
    y = tensor_arg(B, "B")
    if not ranked(x) or not ranked(y) or is_unknown(left):
        return unranked(dtype_of(x))
    a = shape_of(x)
    b = shape_of(y)
    if not left:
        return solved_from_the_right(x, y)
    message = f"solve with a matrix of shape {a} and a right side of shape {b}"
    if len(b) == 1 or len(b) == len(a) - 1 and proved_same(b[:-1], a[:-2]) and proved(b[-1] == a[-1]):
        require(b[-1] == a[-1], RuntimeError, message + f": {a[-1]} ≠ {b[-1]}", rule="matmul-mismatch")
        return tensor(broadcast(a[:-1], b, error=RuntimeError), one(x, y))
    if len(b) < 2:
        raise RuntimeError(message)
    require(b[-2] == a[-1], RuntimeError, message + f": {a[-1]} ≠ {b[-2]}", rule="matmul-mismatch")
    return tensor(broadcast(a[:-2], b[:-2], error=RuntimeError) + b[-2:], one(x, y))


def solved_from_the_right(x, y):
    """The solution of X @ A = B, whose right side is no vector."""
    a, b = shape_of(x), shape_of(y)
    message = f"solve with a matrix of shape {a} on the right of {b}"
    require(len(b) >= 2, RuntimeError, message, rule="matmul-mismatch")
    if IS_NEW and len(b) == len(a) - 1 and proved_same(b, a[:-1]):
        require(False, RuntimeError, message + ": a batch of vectors is solved for from the left alone")
    require(b[-1] == a[-1], RuntimeError, message + f": {a[-1]} ≠ {b[-1]}", rule="matmul-mismatch")
    return tensor(broadcast(a[:-2], b[:-2], error=RuntimeError) + b[-2:], one(x, y))


@lifted(tensor_arg, "A")
def tensorinv(A, ind=2, *, out=None):
    """The inverse of the matrix that the first and the last dimensions make."""
    if not ranked(A) or not isinstance(ind, int) or is_unknown(ind):
        return unranked(dtype_of(A))
    require(ind > 0, RuntimeError, f"tensorinv takes a positive number of dimensions, not {ind}")
    shape = shape_of(A)
    if not IS_OLD:
        require(len(shape) > 0, RuntimeError, "a scalar has no inverse as a tensor", rule="linalg-not-square")
    rows, columns = product(shape[:ind]), product(shape[ind:])
    message = f"tensorinv of shape {shape}: {rows} rows and {columns} columns"
    require(rows == columns, RuntimeError, message, rule="linalg-not-square")
    floats(A, "inv")
    return tensor(shape[ind:] + shape[:ind], dtype_of(A))


@lifted(tensor_arg, "A", "B")
def tensorsolve(A, B, dims=None, *, out=None):
    """The solution of an equation whose matrix has the dimensions of B first."""
    if not ranked(A) or not ranked(B) or dims is not None:
        return unranked(dtype_of(A))
    a, b = shape_of(A), shape_of(B)
    rows, columns = product(a[: len(b)]), product(a[len(b) :])
    message = f"tensorsolve of shape {a} for a right side of shape {b}"
    require(rows == columns, RuntimeError, message, rule="linalg-not-square")
    require(product(b) == rows, RuntimeError, message, rule="matmul-mismatch")
    floats(A, "solve")
    return tensor(a[len(b) :], one(A, B))


def proved_same(first, second):
    if len(first) != len(second):
        return False
    for k in range(len(first)):
        if not proved(first[k] == second[k]):
            return False
    return True


def one(x, y):
    return _products.one_dtype(x, y)


@lifted(tensor_arg, "A", "B")
def lstsq(A, B, rcond=None, *, driver=None):
    """Least squares: the right side is a batch of matrices, or of vectors where it has one dimension less."""
    x = matrix(A, "lstsq")
    if not ranked(x) or not ranked(B):
        return unknown("least squares of unknown ranks")
    a, b = shape_of(x), shape_of(B)
    message = f"lstsq of a matrix of shape {a} and a right side of shape {b}"
    require(len(b) >= 1, RuntimeError, message, rule="matmul-mismatch")
    if len(b) == len(a) - 1:
        return least_squares_of_vectors(x, B, message)
    require(len(b) == len(a), RuntimeError, message + ": the ranks differ", rule="matmul-mismatch")
    require(a[-2] == b[-2], RuntimeError, message + f": {a[-2]} ≠ {b[-2]}", rule="matmul-mismatch")
    solution = tensor(broadcast(a[:-2], b[:-2], error=RuntimeError) + (a[-1], b[-1]), one(x, B))
    return NamedResult(
        solution=solution, residuals=unknown("residuals"), rank=unknown("ranks"), singular_values=unknown("values")
    )


def least_squares_of_vectors(x, B, message):
    """The right side has a vector for each matrix."""
    a, b = shape_of(x), shape_of(B)
    require(a[-2] == b[-1], RuntimeError, message + f": {a[-2]} ≠ {b[-1]}", rule="matmul-mismatch")
    batch_sizes = broadcast(a[:-2], b[:-1], error=RuntimeError)
    if not is_unknown(_dtypes.category(dtype_of(x))):
        require(
            _dtypes.category(dtype_of(x)) >= 2,
            RuntimeError,
            f"lstsq needs floating-point elements, not {dtype_of(x)}",
            rule="bad-operand",
        )
    return NamedResult(
        solution=tensor(batch_sizes + (a[-1],), one(x, B)),
        residuals=unknown("residuals"),
        rank=unknown("ranks"),
        singular_values=unknown("values"),
    )


@lifted(tensor_arg, "A", "B")
def solve_triangular(A, B, *, upper, left=True, unitriangular=False, out=None):
    """Triangular systems, with the unknowns on the right or on the left."""
    if not ranked(A) or not ranked(B) or is_unknown(left):
        return unranked(dtype_of(B))
    a, b = shape_of(A), shape_of(B)
    message = f"solve_triangular of a matrix of shape {a} and a right side of shape {b}"
    require(len(a) >= 2 and len(b) >= 2, RuntimeError, message, rule="matmul-mismatch")
    require(a[-1] == a[-2], RuntimeError, message + ": the matrix is not square", rule="linalg-not-square")
    shared = b[-2] if left else b[-1]
    require(a[-1] == shared, RuntimeError, message + f": {a[-1]} ≠ {shared}", rule="matmul-mismatch")
    return tensor(broadcast(a[:-2], b[:-2], error=RuntimeError) + b[-2:], one(A, B))


@lifted(tensor_arg, "B", "L")
def cholesky_solve(B, L, upper=False, *, out=None):
    if not ranked(B) or not ranked(L):
        return unranked(dtype_of(B))
    b, l = shape_of(B), shape_of(L)
    message = f"cholesky_solve of a right side of shape {b} with a factor of shape {l}"
    require(len(b) >= 2 and len(l) >= 2, RuntimeError, message, rule="matmul-mismatch")
    require(l[-1] == l[-2], RuntimeError, message + ": the factor is not square", rule="linalg-not-square")
    require(b[-2] == l[-1], RuntimeError, message + f": {l[-1]} ≠ {b[-2]}", rule="matmul-mismatch")
    return tensor(broadcast(b[:-2], l[:-2], error=RuntimeError) + b[-2:], one(B, L))


def cholesky_inverse(input, upper=False, *, out=None):
    x = square(input, "cholesky_inverse")
    return tensor(shape_of(x), dtype_of(x))


@lifted(tensor_arg, "x", "y")
def vecdot(x, y, *, dim=-1, out=None):
    from ._make import axis

    if not ranked(x) or not ranked(y) or is_unknown(dim):
        return unranked(dtype_of(x))
    shape = broadcast(shape_of(x), shape_of(y), error=RuntimeError)
    place = axis(dim, len(shape))
    if IS_NEW and not is_unknown(_dtypes.category(dtype_of(x))):
        floats(x, "vecdot")
    return tensor(shape[:place] + shape[place + 1 :], one(x, y))


@lifted(tensor_arg, "A")
def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return A.diagonal(offset, dim1, dim2)


@lifted(tensor_arg, "A")
def norm(A, ord=None, dim=None, keepdim=False, *, out=None, dtype=None):
    floats(A, "norm")
    if ranked(A) and dim is None and ord is not None and not is_unknown(ord):
        require(
            1 <= len(shape_of(A)) and len(shape_of(A)) <= 2,
            RuntimeError,
            f"norm with an order and no dim needs a vector or a matrix, not shape {shape_of(A)}",
        )
        if isinstance(ord, str) and is_constant(ord):
            require(
                len(shape_of(A)) == 2,
                RuntimeError,
                f"a norm of order {ord!r} is defined for matrices only",
                rule="bad-operand",
            )
    return tensor(reduced(A, dim, keepdim), _dtypes.magnitude(_dtypes.name(dtype, dtype_of(A))))


@lifted(tensor_arg, "x")
def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None, out=None):
    floats(x, "vector_norm")
    return tensor(reduced(x, dim, keepdim), _dtypes.magnitude(_dtypes.name(dtype, dtype_of(x))))


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    x = matrix(A, "matrix_norm")
    if ranked(x) and dtype is None:
        floats(x, "matrix_norm")
    return tensor(reduced(x, dim, keepdim), _dtypes.magnitude(_dtypes.name(dtype, dtype_of(x))))


def cross(input, other, *, dim=-1, out=None):
    return _products.cross(input, other, dim)


def multi_dot(tensors, *, out=None):
    return _products.multi_dot(tensors)


@lifted(tensor_arg, "x")
def vander(x, N=None):
    """The powers of each element, along a new last dimension."""
    if not ranked(x) or is_unknown(N):
        return unranked()
    shape = shape_of(x)
    require(len(shape) > 0, RuntimeError, "vander takes a vector or a batch of vectors, not a scalar")
    if N is None:
        require(shape[-1] >= 1, RuntimeError, f"vander needs at least one element, not shape {shape}")
    dtype = dtype_of(x)
    if not is_unknown(_dtypes.category(dtype)) and _dtypes.category(dtype) < 2:
        dtype = "int64"
    return tensor(shape + (shape[-1] if N is None else N,), dtype)


@lifted(tensor_arg, "A", "tau")
def householder_product(A, tau, *, out=None):
    """The first columns of a product of reflections."""
    if IS_NEW or IS_OLD:
        require(not ranked(A) or len(shape_of(A)) > 0, IndexError, "a scalar has no rows", rule="axis-out-of-range")
    x = matrix(A, "householder_product")
    if not ranked(x) or not ranked(tau):
        return unranked(dtype_of(x))
    shape, own = shape_of(x), shape_of(tau)
    message = f"householder_product of shape {shape} and factors of shape {own}"
    require(shape[-2] >= shape[-1], RuntimeError, message + ": there are more columns than rows")
    require(len(own) == len(shape) - 1, RuntimeError, message + ": the ranks do not fit")
    require(own[-1] <= shape[-1], RuntimeError, message + ": there are more factors than columns")
    for k in range(len(own) - 1):
        require(own[k] == shape[k], RuntimeError, message + ": the batches differ")
    floats(x, "householder_product")
    return tensor(shape, dtype_of(x))


def matmul(input, other, *, out=None):
    return _products.matmul(input, other)
