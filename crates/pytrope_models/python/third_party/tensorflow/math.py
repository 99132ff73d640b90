"""tf.math: the functions of tf under another name."""

from _pytrope import unknown

from ._elementwise import (
    add_n,
    arg_reduction,
    both,
    compared,
    cumulated,
    l2_normalize,
    mapped,
    quotient,
    reduction,
    tested,
)
from ._elementwise import along_axis as softmax
from ._products import matvec

abs = ceil = cos = cosh = erf = exp = expm1 = floor = lgamma = log = log1p = log_sigmoid = negative = reciprocal = (
    mapped
)
rint = round = rsqrt = sigmoid = sign = sin = sinh = softplus = sqrt = square = tan = tanh = acos = asin = atan = mapped
add = subtract = multiply = maximum = minimum = pow = mod = floordiv = floormod = squared_difference = atan2 = both
divide = truediv = quotient
divide_no_nan = multiply_no_nan = both
logical_and = logical_or = both
logical_not = mapped
equal = not_equal = greater = greater_equal = less = less_equal = compared
is_nan = is_inf = is_finite = tested
reduce_sum = reduce_mean = reduce_max = reduce_min = reduce_prod = reduce_std = reduce_variance = reduction
reduce_logsumexp = reduce_any = reduce_all = reduce_euclidean_norm = reduction
argmax = argmin = arg_reduction
cumsum = cumprod = cumulated


def __getattr__(name):
    return unknown(name)
