"""jax.numpy: the functions of NumPy, with JAX's exceptions. A name that is not here is Unknown."""

import numpy as np

from _pytrope import dtype_of, has_rank, is_array, is_constant, is_unknown, product, require, shape_of, unknown

from _shapes import join_shapes, with_ellipsis

from jax._array import (
    Array,
    add,
    as_jax,
    axis_first,
    axis_indexed,
    axis_named,
    contracted,
    dotted,
    first_array,
    inner_sizes,
    numbers,
    rearranged,
    bitwise_and,
    bitwise_or,
    equal,
    floor_divide,
    greater,
    greater_equal,
    less,
    less_equal,
    multiply,
    new_array,
    not_equal,
    power,
    product_of,
    remainder,
    subtract,
    true_divide,
)
from ._checks import (
    axes_in_range,
    bounded,
    chosen,
    elements_taken,
    expandable,
    flat_products,
    in_columns,
    in_depth,
    in_rows,
    natural,
    permutable,
    pieces,
    rollable,
    side_by_side,
    squeezable,
    stackable,
    summed,
    taken_along,
    unjudged,
)

ndarray = Array
pi, e, inf, nan, newaxis, euler_gamma = np.pi, np.e, np.inf, np.nan, None, np.euler_gamma
float16, float32, float64 = np.float16, np.float32, np.float64
int8, int16, int32, int64 = np.int8, np.int16, np.int32, np.int64
uint8, uint16, uint32, uint64 = np.uint8, np.uint16, np.uint32, np.uint64
bool_, complex64, complex128 = np.bool_, np.complex64, np.complex128
bfloat16 = unknown("a dtype that NumPy lacks")
dtype = np.dtype
floating, integer, number, inexact = np.floating, np.integer, np.number, np.inexact
issubdtype = np.issubdtype

mod = remainder
divide = true_divide
matmul = product_of
maximum, minimum = as_jax(np.maximum, numbers), as_jax(np.minimum, numbers)
arctan2, hypot = as_jax(np.arctan2, numbers), as_jax(np.hypot, numbers)
logical_and, logical_or = as_jax(np.logical_and, numbers), as_jax(np.logical_or, numbers)
logical_xor, logaddexp = as_jax(np.logical_xor, numbers), as_jax(np.logaddexp, numbers)
fmod, fmax, fmin = as_jax(np.fmod, numbers), as_jax(np.fmax, numbers), as_jax(np.fmin, numbers)
copysign, logaddexp2 = (
    as_jax(np.copysign, numbers),
    as_jax(np.logaddexp2, numbers),
)

# Functions of each element.
abs, absolute, negative, positive, sign = (
    as_jax(np.abs, numbers),
    as_jax(np.abs, numbers),
    as_jax(np.negative, numbers),
    as_jax(np.positive, numbers),
    as_jax(np.sign, numbers),
)
exp, exp2, expm1, log, log2, log10, log1p = (
    as_jax(np.exp, numbers),
    as_jax(np.exp2, numbers),
    as_jax(np.expm1, numbers),
    as_jax(np.log, numbers),
    as_jax(np.log2, numbers),
    as_jax(np.log10, numbers),
    as_jax(np.log1p, numbers),
)
sqrt, square, cbrt, reciprocal = (
    as_jax(np.sqrt, numbers),
    as_jax(np.square, numbers),
    as_jax(np.cbrt, numbers),
    as_jax(np.reciprocal, numbers),
)
sin, cos, tan, arcsin, arccos, arctan = (
    as_jax(np.sin, numbers),
    as_jax(np.cos, numbers),
    as_jax(np.tan, numbers),
    as_jax(np.arcsin, numbers),
    as_jax(np.arccos, numbers),
    as_jax(np.arctan, numbers),
)
sinh, cosh, tanh, arcsinh, arccosh, arctanh = (
    as_jax(np.sinh, numbers),
    as_jax(np.cosh, numbers),
    as_jax(np.tanh, numbers),
    as_jax(np.arcsinh, numbers),
    as_jax(np.arccosh, numbers),
    as_jax(np.arctanh, numbers),
)
floor, ceil, round, rint, trunc, sinc = (
    as_jax(np.floor, numbers),
    as_jax(np.ceil, numbers),
    as_jax(np.round, numbers),
    as_jax(np.rint, numbers),
    as_jax(np.trunc, numbers),
    as_jax(np.sinc, numbers),
)
isnan, isinf, isfinite, logical_not, nan_to_num = (
    as_jax(np.isnan, numbers),
    as_jax(np.isinf, numbers),
    as_jax(np.isfinite, numbers),
    as_jax(np.logical_not, numbers),
    as_jax(np.nan_to_num, numbers),
)
conj, real, imag, angle, deg2rad, rad2deg = (
    as_jax(np.conj, numbers),
    as_jax(np.real, numbers),
    as_jax(np.imag, numbers),
    as_jax(np.angle, numbers),
    as_jax(np.deg2rad, numbers),
    as_jax(np.rad2deg, numbers),
)

# Reductions.
sum, prod, mean, std, var = (
    as_jax(np.sum, axis_first),
    as_jax(np.prod, axis_first),
    as_jax(np.mean, axis_indexed),
    as_jax(np.std, axis_indexed),
    as_jax(np.var, axis_indexed),
)
max, min, amax, amin = (
    as_jax(np.max, axis_first),
    as_jax(np.min, axis_first),
    as_jax(np.max, axis_first),
    as_jax(np.min, axis_first),
)
all, any, median, ptp = (
    as_jax(np.all, axis_first),
    as_jax(np.any, axis_first),
    as_jax(np.median, axis_first),
    as_jax(np.ptp, axis_first),
)
argmax, argmin = as_jax(np.argmax, axis_indexed), as_jax(np.argmin, axis_indexed)
cumsum, cumprod = as_jax(np.cumsum, axis_first), as_jax(np.cumprod, axis_first)
nansum, nanmean, nanmax, nanmin = (
    as_jax(np.nansum, axis_first),
    as_jax(np.nanmean, axis_first),
    as_jax(np.nanmax, axis_first),
    as_jax(np.nanmin, axis_first),
)
average, quantile, percentile = (
    as_jax(np.average, axis_first),
    as_jax(np.quantile, unjudged),
    as_jax(np.percentile, unjudged),
)
count_nonzero = as_jax(np.count_nonzero, axis_first)
nanstd, nanvar, nanprod = as_jax(np.nanstd, axis_first), as_jax(np.nanvar, axis_first), as_jax(np.nanprod, axis_first)

# Making arrays.
zeros, ones, empty, full = (
    as_jax(np.zeros, natural),
    as_jax(np.ones, natural),
    as_jax(np.empty, natural),
    as_jax(np.full, natural),
)
zeros_like, ones_like, empty_like, full_like = (
    as_jax(np.zeros_like),
    as_jax(np.ones_like),
    as_jax(np.empty_like),
    as_jax(np.full_like),
)
arange, linspace, logspace, geomspace = (
    as_jax(np.arange, bounded),
    as_jax(np.linspace),
    as_jax(np.logspace),
    as_jax(np.geomspace),
)
eye, identity, tri, tril, triu, diag, diagonal = (
    as_jax(np.eye),
    as_jax(np.identity),
    as_jax(np.tri),
    as_jax(np.tril),
    as_jax(np.triu),
    as_jax(np.diag),
    as_jax(np.diagonal),
)
meshgrid, hanning, hamming, blackman = as_jax(np.meshgrid), as_jax(np.hanning), as_jax(np.hamming), as_jax(np.blackman)

# Shapes.
reshape = as_jax(np.reshape, rearranged)
ravel = as_jax(np.ravel, first_array)
transpose = as_jax(np.transpose, permutable)
permute_dims = transpose
swapaxes = as_jax(np.swapaxes, axes_in_range)
moveaxis = as_jax(np.moveaxis, axes_in_range)
squeeze, expand_dims = as_jax(np.squeeze, squeezable), as_jax(np.expand_dims, expandable)
broadcast_to = as_jax(np.broadcast_to, first_array)
atleast_1d, atleast_2d, atleast_3d = (
    as_jax(np.atleast_1d, first_array),
    as_jax(np.atleast_2d, first_array),
    as_jax(np.atleast_3d, first_array),
)
flip, fliplr, flipud, roll, rot90 = (
    as_jax(np.flip, first_array),
    as_jax(np.fliplr, first_array),
    as_jax(np.flipud, first_array),
    as_jax(np.roll, rollable),
    as_jax(np.rot90, first_array),
)
tile, repeat, pad, diff, trace = (
    as_jax(np.tile, first_array),
    as_jax(np.repeat, axis_named),
    as_jax(np.pad, first_array),
    as_jax(np.diff, axis_named),
    as_jax(np.trace, first_array),
)


def shape(a):
    return a.shape if is_array(a) else unknown("the shape of something")


def ndim(a):
    return a.ndim if is_array(a) else unknown("the rank of something")


def size(a, axis=None):
    return a.size if is_array(a) and axis is None else unknown("a size")


def indices(dimensions, dtype=None, sparse=False):
    if is_unknown(dimensions) or not isinstance(dimensions, (tuple, list)) or sparse is not False:
        return unknown("indices of a grid")
    return new_array((len(dimensions),) + tuple(dimensions), "int32" if dtype is None else unknown("a dtype"))


# Joining and splitting.
stack = as_jax(np.stack, stackable)
vstack, hstack, dstack, column_stack = (
    as_jax(np.vstack, in_rows),
    as_jax(np.hstack, side_by_side),
    as_jax(np.dstack, in_depth),
    as_jax(np.column_stack, in_columns),
)
split, array_split = as_jax(np.split, first_array), as_jax(np.array_split, pieces)
append = as_jax(np.append, unjudged)

# Products.
dot, vdot, inner = as_jax(np.dot, dotted), as_jax(np.vdot, flat_products), as_jax(np.inner, inner_sizes)
outer, tensordot, kron, cross = (
    as_jax(np.outer, contracted),
    as_jax(np.tensordot, summed),
    as_jax(np.kron, contracted),
    as_jax(np.cross, contracted),
)
convolve, correlate = as_jax(np.convolve, contracted), as_jax(np.correlate, contracted)
numpy_einsum = as_jax(np.einsum)


def einsum(subscripts, *operands, **options):
    if not is_constant(subscripts) or not isinstance(subscripts, str):
        return numpy_einsum(subscripts, *operands, **options)
    whole, count = with_ellipsis(subscripts)
    made = numpy_einsum(whole, *operands, **options)
    if count is None or not is_array(made) or not has_rank(shape_of(made)):
        return made
    # What an ellipsis stands for that the output lacks is summed up.
    return new_array(shape_of(made)[len(shape_of(made)) - count :], dtype_of(made))


# Choosing.
where = as_jax(np.where, chosen)
take, sort, argsort, searchsorted, take_along_axis = (
    as_jax(np.take, elements_taken),
    as_jax(np.sort, axis_first),
    as_jax(np.argsort, axis_first),
    as_jax(np.searchsorted, first_array),
    as_jax(np.take_along_axis, taken_along),
)
allclose, array_equal, isclose = (
    as_jax(np.allclose, numbers),
    as_jax(np.array_equal, first_array),
    as_jax(np.isclose, numbers),
)
interp = as_jax(np.interp, unjudged)


def concatenate(arrays, axis=0, dtype=None):
    """Sizes that differ are a TypeError, a missing axis a ValueError, and other ranks are not judged."""
    if is_array(axis) and is_constant(axis.shape) and product(axis.shape) != 1:
        raise TypeError("an axis is an integer, not an array; the arrays belong into a list")
    if is_unknown(arrays) or is_array(arrays) or not isinstance(arrays, (list, tuple)) or is_unknown(axis):
        return unknown("a concatenation of an unknown value")
    if axis is None:
        return unknown("a concatenation of flattened arrays")
    ranks = []
    for one in arrays:
        if is_unknown(one) or not is_array(one) or is_unknown(one.ndim):
            return unknown("a concatenation of an unknown value")
        ranks.append(one.ndim)
    if not has_rank(arrays) or len(ranks) == 0:
        return unknown("a concatenation of an unknown value")
    for rank in ranks:
        if rank == 0:
            return unknown("a concatenation of scalars")
        require(
            rank == ranks[0],
            TypeError,
            f"cannot concatenate arrays of rank {ranks[0]} and {rank}",
            rule="concat-mismatch",
        )
    if not isinstance(axis, int) or not is_constant(axis):
        return unknown("a concatenation along an unknown axis")
    if -ranks[0] <= axis and axis < ranks[0]:
        join_shapes([shape_of(one) for one in arrays], axis, TypeError, ValueError)
        return as_jax(np.concatenate)(arrays, axis)
    require(False, ValueError, f"axis {axis} is out of bounds for arrays of rank {ranks[0]}", rule="axis-out-of-range")


concat = concatenate


def array(object, dtype=None, copy=True, order="K", ndmin=0, **options):
    return as_jax(np.array)(object, dtype=dtype) if ndmin == 0 else unknown("an array of another rank")


def asarray(a, dtype=None, **options):
    return as_jax(np.asarray)(a, dtype=dtype)


def clip(arr=None, min=None, max=None, **options):
    return (
        as_jax(np.clip, numbers)(arr, min, max)
        if is_array(arr) and min is not None and max is not None
        else unknown("a clip of an unknown value")
    )


def bincount(x, weights=None, minlength=0, *, length=None):
    from jax._array import made

    return (
        unknown("counts") if length is None or is_unknown(length) else made((length,), unknown("the dtype of counts"))
    )


def astype(x, dtype, **options):
    return x.astype(dtype) if is_array(x) else unknown("a conversion")
