"""Arguments and results that the parts of SciPy share."""

from _pytrope import array, dtype_of, has_rank, is_constant, is_unknown, require, shape_of, unknown

from numpy import ndarray
from numpy._convert import as_array_arg
from numpy._dtypes import mean_of


def ranked_arg(x):
    """An argument as a NumPy array of known rank; Unknown for everything else, other array libraries included."""
    given = as_array_arg(x)
    if is_unknown(given) or not has_rank(shape_of(given)):
        return unknown("an argument whose rank is not known")
    return given


def float_array(shape, *operands):
    """A result in the precision that SciPy computes in: single for single precision, double for the rest."""
    name = unknown("the type that SciPy computes in")
    names = [mean_of(dtype_of(one)) for one in operands]
    if len(names) > 0 and len([one for one in names if is_unknown(one) or one != names[0]]) == 0:
        if names[0] in ("float32", "float64"):
            name = names[0]
    return array(ndarray, shape, name)


def untyped(shape):
    """A result whose element type is not modelled."""
    return array(ndarray, shape, unknown("the type that SciPy computes in"))


def is_count(x):
    """Whether an argument is one known integer from 0 on."""
    return is_constant(x) and isinstance(x, int) and not isinstance(x, bool) and x >= 0


def same_length(x, y, what, error=ValueError):
    """Two vectors of samples are as long as each other."""
    a, b = shape_of(x), shape_of(y)
    require(a[0] == b[0], error, f"{what} of samples that differ in number: {a[0]} ≠ {b[0]}", rule="shape-argument")
