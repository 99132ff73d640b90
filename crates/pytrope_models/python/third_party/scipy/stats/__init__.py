"""`scipy.stats`: distributions, and statistics along an axis."""

from _pytrope import array, dtype_of, has_rank, is_constant, is_unknown, require, shape_of, unknown

from _shapes import reduce_shape

from numpy import ndarray
from numpy.exceptions import AxisError

from .._arguments import float_array, ranked_arg, same_length, untyped
from ._distributions import continuous, discrete, multivariate_normal

norm = uniform = expon = laplace = logistic = cauchy = rayleigh = gumbel_r = gumbel_l = halfnorm = continuous(0)
t = chi2 = gamma = pareto = lognorm = weibull_min = genextreme = powerlaw = continuous(1)
beta = f = truncnorm = continuous(2)
poisson = geom = bernoulli = discrete(1)
binom = nbinom = randint = discrete(2)


def reduced(a, axis, keepdims=False):
    """A statistic along an axis; over all axes it is a number."""
    given = ranked_arg(a)
    if is_unknown(given):
        return unknown("a statistic")
    shape = reduce_shape(shape_of(given), axis, keepdims, AxisError)
    return unknown("a statistic") if is_unknown(shape) or shape == () else untyped(shape)


def skew(a, axis=0, bias=True, nan_policy="propagate", *, keepdims=False):
    return reduced(a, axis, keepdims)


def kurtosis(a, axis=0, fisher=True, bias=True, nan_policy="propagate", *, keepdims=False):
    return reduced(a, axis, keepdims)


def sem(a, axis=0, ddof=1, nan_policy="propagate", *, keepdims=False):
    return reduced(a, axis, keepdims)


def gmean(a, axis=0, dtype=None, weights=None, *, nan_policy="propagate", keepdims=False):
    return reduced(a, axis, keepdims) if weights is None else unknown("a mean with weights")


def hmean(a, axis=0, dtype=None, *, weights=None, nan_policy="propagate", keepdims=False):
    return reduced(a, axis, keepdims) if weights is None else unknown("a mean with weights")


def iqr(x, axis=None, rng=(25, 75), scale=1.0, nan_policy="propagate", interpolation="linear", keepdims=False):
    return reduced(x, axis, keepdims)


def zscore(a, axis=0, ddof=0, nan_policy="propagate"):
    given = ranked_arg(a)
    if is_unknown(given):
        return given
    reduce_shape(shape_of(given), axis, False, AxisError)
    return float_array(shape_of(given), given)


def two_vectors(x, y, what):
    """Samples that belong together in pairs; matrices are compared along an axis, which is not followed."""
    x, y = ranked_arg(x), ranked_arg(y)
    if not is_unknown(x) and not is_unknown(y) and len(shape_of(x)) == 1 and len(shape_of(y)) == 1:
        # One sample is repeated, or has its own error.
        if is_constant(shape_of(x)[0]) and is_constant(shape_of(y)[0]) and shape_of(x)[0] != 1 and shape_of(y)[0] != 1:
            same_length(x, y, what)


def pearsonr(x, y, **options):
    two_vectors(x, y, "pearsonr")
    return unknown("a statistic and its probability")


def spearmanr(a, b=None, axis=0, **options):
    if b is not None:
        two_vectors(a, b, "spearmanr")
    return unknown("a statistic and its probability")


def kendalltau(x, y, **options):
    two_vectors(x, y, "kendalltau")
    return unknown("a statistic and its probability")


def ttest_rel(a, b, axis=0, **options):
    two_vectors(a, b, "ttest_rel")
    return unknown("a statistic and its probability")


def linregress(x, y=None, **options):
    if y is not None:
        two_vectors(x, y, "linregress")
    return unknown("a regression")


class gaussian_kde:
    """A density of samples: a row for each coordinate."""

    def __init__(self, dataset, bw_method=None, weights=None):
        samples = ranked_arg(dataset)
        self._pytrope_coordinates = unknown("a number of coordinates")
        if not is_unknown(samples) and len(shape_of(samples)) in (1, 2):
            self._pytrope_coordinates = 1 if len(shape_of(samples)) == 1 else shape_of(samples)[0]

    def __getattr__(self, name):
        return unknown("a part of a density that is not modelled")

    def evaluate(self, points):
        points = ranked_arg(points)
        wanted = self._pytrope_coordinates
        if is_unknown(points) or is_unknown(wanted) or not is_constant(wanted) or len(shape_of(points)) not in (1, 2):
            return unknown("a density at unknown points")
        shape = shape_of(points)
        if len(shape) == 1:
            return array(ndarray, shape, "float64") if wanted == 1 else unknown("a density at one point")
        if not is_constant(shape[0]) or shape[0] != wanted:
            return unknown("a density at other points")
        return array(ndarray, shape[1:], "float64")

    def __call__(self, points):
        return self.evaluate(points)
