"""`scipy.special`: functions of each element, and sums over them."""

from _pytrope import is_unknown, shape_of, unknown

from _shapes import check_axes, reduce_shape

from numpy._array import wrap
from numpy._dtypes import mean_of
from numpy.exceptions import AxisError

from ._arguments import float_array, ranked_arg


def of_elements(x, out):
    """One value for each element."""
    given = ranked_arg(x)
    if is_unknown(given) or out is not None or len(shape_of(given)) == 0:
        return unknown("values of a function")
    return float_array(shape_of(given), given)


def expit(x, out=None, **options):
    return of_elements(x, out)


def logit(x, out=None, **options):
    return of_elements(x, out)


def erf(z, out=None, **options):
    return of_elements(z, out)


def erfc(z, out=None, **options):
    return of_elements(z, out)


def gamma(z, out=None, **options):
    return of_elements(z, out)


def gammaln(x, out=None, **options):
    return of_elements(x, out)


def digamma(z, out=None, **options):
    return of_elements(z, out)


def softmax(x, axis=None):
    given = ranked_arg(x)
    if is_unknown(given):
        return given
    if axis is not None:
        check_axes(axis, len(shape_of(given)), AxisError, shape_of(given))
    return of_elements(given, None)


def log_softmax(x, axis=None):
    return softmax(x, axis)


def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    given = ranked_arg(a)
    if is_unknown(given) or b is not None or return_sign is not False:
        return unknown("a sum of exponentials")
    shape = reduce_shape(shape_of(given), axis, keepdims, AxisError)
    return unknown("a sum of exponentials") if is_unknown(shape) or shape == () else float_array(shape, given)
