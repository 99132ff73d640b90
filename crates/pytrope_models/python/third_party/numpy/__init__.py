"""NumPy ≥ 2, as far as shapes and element types go. A name that is not here is Unknown.

The subpackages (`linalg`, `random`, `fft`, `lib`) are found, and read, when a program first names them.
"""

import math as _math

from _pytrope import unknown

from ._array import (
    bool_, character, complex64, complex128, complexfloating, flexible, float16, float32, float64, floating, generic, inexact, int8, int16, int32, int64,
    integer, ndarray, number, signedinteger, uint8, uint16, uint32, uint64, unsignedinteger,
)
from ._types import dtype, issubdtype
from .creation import (
    arange, array, asanyarray, asarray, asarray_chkfinite, ascontiguousarray, asfortranarray, bartlett, blackman, copy, diag, diag_indices, diag_indices_from,
    diagflat, empty, empty_like, eye, frombuffer, fromfunction, fromiter, fromstring, full, full_like, geomspace, hamming, hanning, identity, indices, ix_,
    kaiser, linspace, logspace, meshgrid, mgrid, ogrid, ones, ones_like, tri, tril, tril_indices, tril_indices_from, triu, triu_indices, triu_indices_from,
    vander, zeros, zeros_like,
)
from .creation import require_ as require
from .joining import array_split, block, c_, column_stack, concat, concatenate, dsplit, dstack, hsplit, hstack, index_exp, r_, s_, split, stack, unstack, vsplit, vstack
from .manipulation import (
    append, apply_along_axis, apply_over_axes, astype, atleast_1d, atleast_2d, atleast_3d, broadcast_arrays, broadcast_shapes, broadcast_to, copyto, delete,
    diagonal, diff, ediff1d, expand_dims, fill_diagonal, flip, fliplr, flipud, gradient, insert, isscalar, iterable, matrix_transpose, may_share_memory,
    moveaxis, ndim, pad, permute_dims, place, put, put_along_axis, putmask, ravel, ravel_multi_index, repeat, reshape, resize, roll, rollaxis, rot90, shape,
    shares_memory, size, squeeze, swapaxes, tile, trace, transpose, trim_zeros, unravel_index,
)
from .products import (
    convolve, correlate, cross, dot, einsum, einsum_path, inner, kron, matmul, outer, poly, poly1d, polyadd, polyder, polydiv, polyfit, polyint, polymul,
    polysub, polyval, roots, tensordot, trapezoid, vdot, vecdot,
)
from .reductions import (
    all, amax, amin, any, argmax, argmin, average, corrcoef, count_nonzero, cov, cumprod, cumsum, max, mean, median, min, nanargmax, nanargmin, nancumprod,
    nancumsum, nanmax, nanmean, nanmedian, nanmin, nanpercentile, nanprod, nanquantile, nanstd, nansum, nanvar, percentile, prod, ptp, quantile, std, sum, var,
)
from .selection import (
    argpartition, argsort, argwhere, bincount, choose, compress, digitize, extract, flatnonzero, histogram, histogram2d, histogram_bin_edges, histogramdd,
    intersect1d, isin, lexsort, ndenumerate, ndindex, nditer, nonzero, partition, piecewise, searchsorted, select, setdiff1d, setxor1d, sort, sort_complex,
    take, take_along_axis, union1d, unique, unique_values, where,
)
from .ufuncs import (
    abs, absolute, acos, acosh, add, allclose, angle, arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, around, array_equal, array_equiv, asin, asinh,
    atan, atan2, atanh, bitwise_and, bitwise_count, bitwise_invert, bitwise_left_shift, bitwise_not, bitwise_or, bitwise_right_shift, bitwise_xor, cbrt, ceil,
    clip, conj, conjugate, copysign, cos, cosh, deg2rad, degrees, divide, divmod, equal, exp, exp2, expm1, fabs, fix, float_power, floor, floor_divide, fmax,
    fmin, fmod, frexp, frompyfunc, gcd, greater, greater_equal, heaviside, hypot, i0, imag, interp, invert, iscomplex, iscomplexobj, isclose, isfinite, isinf,
    isnan, isneginf, isposinf, isreal, isrealobj, lcm, ldexp, left_shift, less, less_equal, log, log1p, log2, log10, logaddexp, logaddexp2, logical_and,
    logical_not, logical_or, logical_xor, maximum, minimum, mod, modf, multiply, nan_to_num, negative, nextafter, not_equal, positive, power, rad2deg, radians,
    real, real_if_close, reciprocal, right_shift, rint, round, sign, signbit, sin, sinc, sinh, spacing, sqrt, square, subtract, tan, tanh, true_divide, trunc,
    ufunc, unwrap, vectorize,
)

remainder = mod
bool = bool_
double = float64
single = float32
half = float16
intp = int64
int_ = int64
uint = uint64
byte = int8
ubyte = uint8
short = int16
ushort = uint16
intc = int32
uintc = uint32
longlong = int64
cdouble = complex128
csingle = complex64

newaxis = None
pi = _math.pi
e = _math.e
euler_gamma = 0.5772156649015329
inf = _math.inf
nan = _math.nan
