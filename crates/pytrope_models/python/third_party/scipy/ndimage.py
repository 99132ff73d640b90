"""`scipy.ndimage`: filters, which keep the shape of what they are given."""

from _pytrope import array, dtype_of, is_unknown, shape_of, unknown

from numpy import ndarray

from ._arguments import ranked_arg


def same(input, output, dtype=None):
    """A result of the shape and, unless it is named, the element type of the input."""
    given = ranked_arg(input)
    if is_unknown(given) or output is not None:
        return unknown("a filtered array")
    return array(ndarray, shape_of(given), dtype_of(given) if dtype is None else dtype)


def gaussian_filter(input, sigma, order=0, output=None, **options):
    return same(input, output)


def gaussian_filter1d(input, sigma, axis=-1, order=0, output=None, **options):
    return same(input, output)


def uniform_filter(input, size=3, output=None, **options):
    return same(input, output)


def median_filter(input, size=None, footprint=None, output=None, **options):
    return same(input, output)


def maximum_filter(input, size=None, footprint=None, output=None, **options):
    return same(input, output)


def minimum_filter(input, size=None, footprint=None, output=None, **options):
    return same(input, output)


def sobel(input, axis=-1, output=None, **options):
    return same(input, output)


def laplace(input, output=None, **options):
    return same(input, output)


def convolve(input, weights, output=None, **options):
    return same(input, output)


def correlate(input, weights, output=None, **options):
    return same(input, output)


def convolve1d(input, weights, axis=-1, output=None, **options):
    return same(input, output)


def shift(input, shift, output=None, **options):
    return same(input, output)


def binary_dilation(input, structure=None, iterations=1, mask=None, output=None, **options):
    return same(input, output, "bool")


def binary_erosion(input, structure=None, iterations=1, mask=None, output=None, **options):
    return same(input, output, "bool")


def distance_transform_edt(input, sampling=None, return_distances=True, return_indices=False, **options):
    if return_distances is not True or return_indices is not False or len(options) > 0:
        return unknown("distances")
    return same(input, None, "float64")


def label(input, structure=None, output=None):
    return same(input, output, "int32"), unknown("a number of objects")
