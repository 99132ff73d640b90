"""Random numbers of both interfaces: only their shapes and types are known."""

from _pytrope import (
    array,
    array_like,
    broadcast,
    dtype_of,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    product,
    proved,
    require,
    set_values,
    shape_of,
    some,
    unknown,
    values_of,
)

from _shapes import as_index, as_sizes, check_axis, check_sizes, replace_axis

from .._array import ndarray, wrap
from .._convert import as_array_arg
from .._out import into
from .._types import dtype_name
from ..exceptions import AxisError


def number(name):
    """A single draw is a Python number, or one of NumPy's where another dtype is asked for."""
    if is_unknown(name) or name not in ("int64", "float64"):
        return unknown("a random number")
    return some(int) if name == "int64" else some(float)


def drawn(size, name, parameters=()):
    """Draws of a given size, or of the shape the parameters broadcast to."""
    shapes = []
    for one in parameters:
        given, _, _ = array_like(one)
        if is_unknown(given):
            if size is None:
                return unknown("draws with an unknown parameter")
        else:
            shapes.append(given)
    if size is None:
        shape = broadcast(*shapes) if len(shapes) > 0 else ()
        if has_rank(shape) and len(shape) == 0:
            return number(name)
        return wrap(shape, name)
    sizes = check_sizes(as_sizes(size))
    if len(shapes) > 0 and has_rank(sizes):
        whole = broadcast(*shapes)
        if has_rank(whole) and len(whole) > 0:
            # Of no samples nothing is drawn, and nothing compared; `randint` has rules of its own.
            if (
                name == "float64"
                and has_rank(sizes)
                and len(sizes) > 0
                and not [size for size in sizes if not proved(size > 0)]
            ):
                broadcast(sizes, whole, out=sizes)
    return array(ndarray, sizes, name)


class _Distributions:
    """Distributions that both interfaces offer."""

    def normal(self, loc=0.0, scale=1.0, size=None):
        return drawn(size, "float64", (loc, scale))

    def uniform(self, low=0.0, high=1.0, size=None):
        return drawn(size, "float64", (low, high))

    def exponential(self, scale=1.0, size=None):
        return drawn(size, "float64", (scale,))

    def gamma(self, shape, scale=1.0, size=None):
        return drawn(size, "float64", (shape, scale))

    def beta(self, a, b, size=None):
        return drawn(size, "float64", (a, b))

    def laplace(self, loc=0.0, scale=1.0, size=None):
        return drawn(size, "float64", (loc, scale))

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return drawn(size, "float64", (mean, sigma))

    def chisquare(self, df, size=None):
        return drawn(size, "float64", (df,))

    def noncentral_chisquare(self, df, nonc, size=None):
        return drawn(size, "float64", (df, nonc))

    def f(self, dfnum, dfden, size=None):
        return drawn(size, "float64", (dfnum, dfden))

    def standard_t(self, df, size=None):
        return drawn(size, "float64", (df,))

    def standard_cauchy(self, size=None):
        return drawn(size, "float64")

    def logistic(self, loc=0.0, scale=1.0, size=None):
        return drawn(size, "float64", (loc, scale))

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        return drawn(size, "float64", (loc, scale))

    def rayleigh(self, scale=1.0, size=None):
        return drawn(size, "float64", (scale,))

    def weibull(self, a, size=None):
        return drawn(size, "float64", (a,))

    def pareto(self, a, size=None):
        return drawn(size, "float64", (a,))

    def power(self, a, size=None):
        return drawn(size, "float64", (a,))

    def wald(self, mean, scale, size=None):
        return drawn(size, "float64", (mean, scale))

    def triangular(self, left, mode, right, size=None):
        return drawn(size, "float64", (left, mode, right))

    def vonmises(self, mu, kappa, size=None):
        return drawn(size, "float64", (mu, kappa))

    def poisson(self, lam=1.0, size=None):
        return drawn(size, "int64", (lam,))

    def binomial(self, n, p, size=None):
        return drawn(size, "int64", (n, p))

    def geometric(self, p, size=None):
        return drawn(size, "int64", (p,))

    def hypergeometric(self, ngood, nbad, nsample, size=None):
        return drawn(size, "int64", (ngood, nbad, nsample))

    def negative_binomial(self, n, p, size=None):
        return drawn(size, "int64", (n, p))

    def zipf(self, a, size=None):
        return drawn(size, "int64", (a,))

    def logseries(self, p, size=None):
        return drawn(size, "int64", (p,))

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, **kwargs):
        centre, spread = as_array_arg(mean), as_array_arg(cov)
        if is_unknown(centre) or not has_rank(shape_of(centre)):
            return unknown("draws with an unknown mean")
        shape = shape_of(centre)
        require(len(shape) == 1, ValueError, f"the mean must be a vector, not shape {shape}", rule="shape-argument")
        if not is_unknown(spread) and has_rank(shape_of(spread)):
            sides = shape_of(spread)
            require(
                len(sides) == 2,
                ValueError,
                f"the covariance must be a matrix, not shape {sides}",
                rule="shape-argument",
            )
            require(
                sides[0] == sides[1],
                ValueError,
                f"the covariance must be square, not shape {sides}",
                rule="linalg-not-square",
            )
            require(
                shape[0] == sides[0],
                ValueError,
                f"a mean of shape {shape} and a covariance of shape {sides} do not fit",
                rule="shape-argument",
            )
        sizes = () if size is None else check_sizes(as_sizes(size))
        if not has_rank(sizes):
            return array(ndarray, unknown("draws of unknown size"), "float64")
        return array(ndarray, sizes + shape, "float64")

    def multinomial(self, n, pvals, size=None):
        chances, _, _ = array_like(pvals)
        sizes = () if size is None else check_sizes(as_sizes(size))
        if is_unknown(chances) or not has_rank(chances) or not has_rank(sizes) or len(chances) != 1:
            return unknown("draws with unknown probabilities")
        return array(ndarray, sizes + tuple(chances), "int64")

    def dirichlet(self, alpha, size=None):
        weights, _, _ = array_like(alpha)
        sizes = () if size is None else check_sizes(as_sizes(size))
        if is_unknown(weights) or not has_rank(weights) or not has_rank(sizes):
            return unknown("draws with unknown weights")
        return array(ndarray, sizes + tuple(weights), "float64")

    def permutation(self, x, axis=0):
        if isinstance(x, int):
            if is_constant(x) and x < 0:
                return unknown("a permutation of a negative number")
            return array(ndarray, (x,), "int64")
        a = as_array_arg(x)
        if is_unknown(a):
            return a
        shape = shape_of(a)
        if has_rank(shape) and len(shape) == 0:
            value = as_index(x)
            return array(ndarray, (value,), "int64")
        if has_rank(shape):
            check_axis(axis, len(shape), AxisError, shape)
        return array(ndarray, shape, dtype_of(a))

    def shuffle(self, x, axis=0):
        if is_array(x):
            if has_rank(shape_of(x)) and len(shape_of(x)) > 0:
                check_axis(axis, len(shape_of(x)), AxisError, shape_of(x))
            set_values(x, None)
        elif isinstance(x, list):
            for position in range(len(x)):
                x[position] = unknown("an element of a shuffled list")

    def bytes(self, length):
        return unknown("random bytes")


def chosen(a, size, replace, p, axis):
    """The draws of `choice`."""
    a = as_index(a) if is_array(a) and has_rank(shape_of(a)) and len(shape_of(a)) == 0 else a
    if isinstance(a, int):
        count = a
        rest = ()
        name = "int64"
    else:
        source = as_array_arg(a)
        if is_unknown(source) or not has_rank(shape_of(source)):
            return unknown("a choice from an unknown array")
        shape = shape_of(source)
        one = check_axis(axis, len(shape), AxisError, shape)
        if is_unknown(one):
            return one
        count = shape[one]
        rest = shape
        name = dtype_of(source)
    if p is not None and not is_unknown(count):
        chances, _, _ = array_like(p)
        if has_rank(chances) and len(chances) == 1:
            require(
                chances[0] == count,
                ValueError,
                f"choices and probabilities differ in number: {count} ≠ {chances[0]}",
                rule="shape-argument",
            )
    if size is None:
        if isinstance(a, int):
            return number(name)
        return wrap(shape_without(rest, axis), name)
    sizes = check_sizes(as_sizes(size))
    if not has_rank(sizes):
        return array(ndarray, unknown("a choice of unknown size"), name)
    if replace is False and not is_unknown(count):
        drawn_count = product(sizes)
        if not is_unknown(drawn_count):
            require(
                drawn_count <= count,
                ValueError,
                f"cannot draw {drawn_count} samples without replacement from {count}",
                rule="shape-argument",
            )
    if is_constant(count) and count <= 0:
        wanted = product(sizes)
        if is_constant(wanted) and wanted > 0:
            raise ValueError("choice from an empty array")
    if isinstance(a, int):
        return array(ndarray, sizes, name)
    one = axis if axis >= 0 else axis + len(rest)
    return array(ndarray, rest[:one] + sizes + rest[one + 1 :], name)


def shape_without(shape, axis):
    """The shape without one axis."""
    if axis < 0:
        axis = axis + len(shape)
    return shape[:axis] + shape[axis + 1 :]


class RandomState(_Distributions):
    """The legacy interface."""

    def __init__(self, seed=None):
        pass

    def rand(self, *args):
        return self._by_arguments(args)

    def randn(self, *args):
        return self._by_arguments(args)

    def _by_arguments(self, args):
        if not has_rank(args):
            return unknown("draws of unknown rank")
        if len(args) == 0:
            return number("float64")
        for one in args:
            if isinstance(one, (tuple, list)):
                require(
                    False, TypeError, f"sizes are separate arguments here, not the tuple {one}", rule="shape-argument"
                )
        return array(ndarray, check_sizes(as_sizes(args)), "float64")

    def randint(self, low, high=None, size=None, dtype=int):
        low, high = as_bound(low), as_bound(high)
        if (
            isinstance(low, int)
            and is_constant(low)
            and is_constant(high)
            and (high is None or isinstance(high, int))
            and draws_something(size)
        ):
            if high is None:
                require(low > 0, ValueError, f"no integer lies from 0 up to {low}", rule="shape-argument")
            else:
                require(low < high, ValueError, f"no integer lies from {low} up to {high}", rule="shape-argument")
        if size is not None and not draws_something(size):
            # The bounds of no number at all are not looked at.
            return drawn(size, dtype_name(dtype))
        return drawn(size, dtype_name(dtype), (low,) if high is None else (low, high))

    def random_integers(self, low, high=None, size=None):
        return drawn(size, "int64", (low,) if high is None else (low, high))

    def random(self, size=None):
        return drawn(size, "float64")

    def random_sample(self, size=None):
        return drawn(size, "float64")

    def standard_normal(self, size=None):
        return drawn(size, "float64")

    def standard_exponential(self, size=None):
        return drawn(size, "float64")

    def standard_gamma(self, shape, size=None):
        return drawn(size, "float64", (shape,))

    def choice(self, a, size=None, replace=True, p=None):
        if not isinstance(a, int):
            source = as_array_arg(a)
            if not is_unknown(source) and has_rank(shape_of(source)) and len(shape_of(source)) > 0:
                require(
                    len(shape_of(source)) == 1,
                    ValueError,
                    f"choice takes a vector, not shape {shape_of(source)}",
                    rule="shape-argument",
                )
        return chosen(a, size, replace, p, 0)

    def seed(self, seed=None):
        return None

    def get_state(self, legacy=True):
        return unknown("the state of a generator")

    def set_state(self, state):
        return None


def draws_something(size):
    """Whether at least one number is certainly drawn."""
    if size is None:
        return True
    sizes = as_sizes(size)
    if not has_rank(sizes):
        return False
    count = product(sizes)
    return is_constant(count) and count > 0


def as_bound(x):
    """A bound of an integer range."""
    if is_array(x) and has_rank(shape_of(x)) and len(shape_of(x)) == 0:
        return as_index(x)
    return x


class Generator(_Distributions):
    """The interface of `default_rng`."""

    def __init__(self, bit_generator=None):
        self.bit_generator = unknown("a bit generator")

    def integers(self, low, high=None, size=None, dtype=int, endpoint=False):
        low, high = as_bound(low), as_bound(high)
        if (
            isinstance(low, int)
            and is_constant(low)
            and is_constant(high)
            and endpoint is False
            and (high is None or isinstance(high, int))
            and draws_something(size)
        ):
            if high is None:
                require(low > 0, ValueError, f"no integer lies from 0 up to {low}", rule="shape-argument")
            else:
                require(low < high, ValueError, f"no integer lies from {low} up to {high}", rule="shape-argument")
        if (
            size is None
            and not is_array(low)
            and not is_array(high)
            and isinstance(low, int)
            and (high is None or isinstance(high, int))
        ):
            return wrap((), dtype_name(dtype))
        return drawn(size, dtype_name(dtype), (low,) if high is None else (low, high))

    def random(self, size=None, dtype=float, out=None):
        if out is not None:
            return out
        return drawn(size, dtype_name(dtype))

    def standard_normal(self, size=None, dtype=float, out=None):
        if out is not None:
            return out
        return drawn(size, dtype_name(dtype))

    def standard_exponential(self, size=None, dtype=float, method="zig", out=None):
        if out is not None:
            return out
        return drawn(size, dtype_name(dtype))

    def standard_gamma(self, shape, size=None, dtype=float, out=None):
        if out is not None:
            return out
        return drawn(size, dtype_name(dtype), (shape,))

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        return chosen(a, size, replace, p, axis)

    def permuted(self, x, axis=None, out=None):
        if out is not None:
            return into(out)
        a = as_array_arg(x)
        if is_unknown(a):
            return a
        if axis is not None and has_rank(shape_of(a)):
            check_axis(axis, len(shape_of(a)), AxisError, shape_of(a))
        return array(ndarray, shape_of(a), dtype_of(a))

    def spawn(self, n_children):
        return [Generator() for _ in range(n_children)]
