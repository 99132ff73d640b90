"""`scipy.optimize`: minima, roots, fits and assignments. Code that is not followed runs the functions given."""

from _pytrope import (
    array,
    call_back,
    has_rank,
    havoc,
    is_array,
    is_constant,
    is_unknown,
    parameters_of,
    require,
    shape_of,
    some,
    unknown,
)

from _open import OpenOperators
from _shapes import smaller

from numpy import ndarray

from ._arguments import ranked_arg


class OptimizeResult(OpenOperators):
    """What was found, `x` above all: a dictionary whose keys are attributes too."""

    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        return unknown("a part of a result that is not modelled")

    def __getitem__(self, key):
        return self.x if is_constant(key) and key == "x" else unknown("a part of a result that is not modelled")


def found(x0):
    """A vector of as many numbers as the start has."""
    start = ranked_arg(x0)
    if is_unknown(start) or len(shape_of(start)) > 1:
        return unknown("a solution")
    return array(ndarray, (1,) if len(shape_of(start)) == 0 else shape_of(start), "float64")


def tried(function, x0, args=()):
    """The function is called at the start, and again as often as it takes: what it changes is not known afterwards."""
    start, more = found(x0), args if isinstance(args, tuple) else (args,)
    if is_unknown(function) or is_unknown(start) or is_unknown(args) or not has_rank(more):
        return unknown("a value")
    value = call_back(function, start, *more)
    havoc(function)
    return value


def minimize(fun, x0, args=(), *positional, **options):
    tried(fun, x0, args)
    return OptimizeResult(found(x0))


def least_squares(fun, x0, *positional, args=(), kwargs=None, **options):
    if len(positional) < 12 and kwargs is None:
        tried(fun, x0, args)
    return OptimizeResult(found(x0))


def root(fun, x0, args=(), *positional, **options):
    tried(fun, x0, args)
    return OptimizeResult(found(x0))


def fsolve(func, x0, args=(), fprime=None, full_output=0, *positional, **options):
    value = ranked_arg(tried(func, x0, args))
    start = found(x0)
    if is_array(value, ndarray) and is_constant(shape_of(value)) and is_constant(shape_of(start)):
        if len(shape_of(value)) == 1:
            require(
                shape_of(value) == shape_of(start),
                TypeError,
                f"fsolve needs as many equations as unknowns: {shape_of(value)} for {shape_of(start)}",
                rule="shape-argument",
            )
    return found(x0) if full_output in (0, False) else unknown("a solution with further results")


def fmin(func, x0, args=(), xtol=0.0001, ftol=0.0001, maxiter=None, maxfun=None, full_output=0, **options):
    tried(func, x0, args)
    return (
        found(x0)
        if full_output in (0, False) and not options.get("retall")
        else unknown("a solution with further results")
    )


def curve_fit(
    f,
    xdata,
    ydata,
    p0=None,
    sigma=None,
    absolute_sigma=False,
    check_finite=None,
    bounds=None,
    method=None,
    jac=None,
    *,
    full_output=False,
    **options,
):
    if full_output is not False:
        return unknown("a fit with further results")
    count = unknown("a number of parameters")
    if p0 is None:
        listed = parameters_of(f)
        if (
            listed is not None
            and not is_unknown(listed)
            and len([1 for _, kind, _ in listed if kind not in (0, 1)]) == 0
        ):
            count = len(listed) - 1
    else:
        start = ranked_arg(p0)
        if not is_unknown(start) and len(shape_of(start)) == 1:
            count = shape_of(start)[0]
    if is_unknown(count):
        return unknown("parameters"), unknown("their covariance")
    if is_constant(count) and not is_unknown(f) and count <= 32:
        call_back(f, ranked_arg(xdata), *[some(float) for _ in range(count)])
        havoc(f)
    return array(ndarray, (count,), "float64"), array(ndarray, (count, count), "float64")


def linear_sum_assignment(cost_matrix, maximize=False):
    cost = ranked_arg(cost_matrix)
    if is_unknown(cost):
        return unknown("rows"), unknown("columns")
    shape = shape_of(cost)
    require(
        len(shape) == 2, ValueError, f"linear_sum_assignment takes a matrix, not shape {shape}", rule="shape-argument"
    )
    count = smaller(shape[0], shape[1])
    return array(ndarray, (count,), "int64"), array(ndarray, (count,), "int64")


def nnls(A, b, **options):
    A, b = ranked_arg(A), ranked_arg(b)
    if is_unknown(A) or is_unknown(b):
        return unknown("a solution"), unknown("a residual")
    require(len(shape_of(A)) == 2, ValueError, f"nnls takes a matrix, not shape {shape_of(A)}", rule="shape-argument")
    if len(shape_of(b)) == 1:
        require(
            shape_of(A)[0] == shape_of(b)[0],
            ValueError,
            f"nnls: {shape_of(A)[0]} equations, but {shape_of(b)[0]} right sides",
            rule="matmul-mismatch",
        )
    return array(ndarray, (shape_of(A)[1],), "float64"), unknown("a residual")


def linprog(c, A_ub=None, b_ub=None, A_eq=None, b_eq=None, bounds=(0, None), method="highs", **options):
    cost = ranked_arg(c)
    if is_unknown(cost) or len(shape_of(cost)) != 1:
        return OptimizeResult(unknown("a solution"))
    fits_constraints(cost, A_ub, b_ub)
    fits_constraints(cost, A_eq, b_eq)
    # Without a solution, `x` is None.
    return OptimizeResult(unknown("a solution, if there is one"))


def fits_constraints(cost, A, b):
    """A column for each variable, a row for each bound."""
    if A is None or b is None:
        return
    A, b = ranked_arg(A), ranked_arg(b)
    if is_unknown(A) or is_unknown(b) or len(shape_of(A)) != 2 or len(shape_of(b)) != 1:
        return
    count, (rows, columns) = shape_of(cost)[0], shape_of(A)
    require(
        columns == count,
        ValueError,
        f"linprog: the objective has {count} variables, but the constraints have {columns}",
        rule="matmul-mismatch",
    )
    require(
        rows == shape_of(b)[0],
        ValueError,
        f"linprog: {rows} constraints, but {shape_of(b)[0]} bounds",
        rule="matmul-mismatch",
    )
