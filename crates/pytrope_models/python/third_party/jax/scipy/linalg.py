"""jax.scipy.linalg: solutions and factors."""

from _pytrope import dtype_of, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from jax._array import new_array
from jax.numpy.linalg import det, inv


def solved(a, b, what):
    """The shape of the solution of `a x = b` for a vector or a matrix `b`."""
    if not is_array(a) or not is_array(b) or not has_rank(shape_of(a)) or not has_rank(shape_of(b)):
        return unknown("the solution of an unknown system")
    one, two = shape_of(a), shape_of(b)
    if len(one) != 2 or len(two) not in (1, 2):
        return unknown("the solution of many systems")
    for size in (one[1], two[0]):
        if is_constant(one[0]) and is_constant(size):
            message = f"{what} of a system of shape {one} and a right side of shape {two}"
            require(one[0] == size, ValueError, message, rule="matmul-mismatch")
    return new_array(two, unknown("the dtype of a solution"))


def cho_solve(c_and_lower, b, *args, **options):
    if is_unknown(c_and_lower) or not isinstance(c_and_lower, (tuple, list)) or len(c_and_lower) != 2:
        return unknown("the solution of an unknown system")
    return solved(c_and_lower[0], b, "cho_solve")


def solve_triangular(a, b, *args, **options):
    return solved(a, b, "solve_triangular")


def cho_factor(a, lower=False, *args, **options):
    if not is_array(a) or not has_rank(shape_of(a)):
        return unknown("the factor of an unknown matrix")
    return (new_array(shape_of(a), dtype_of(a)), lower)


def cholesky(a, lower=False, *args, **options):
    if not is_array(a) or not has_rank(shape_of(a)):
        return unknown("the factor of an unknown matrix")
    return new_array(shape_of(a), unknown("the dtype of a factor"))


def __getattr__(name):
    return unknown(name)
