"""einops: patterns that name the axes of tensors, for arrays of any modelled library."""

from _pytrope import array_like, is_array, is_unknown, shape_of, unknown

from ._errors import EinopsError
from ._packing import pack, unpack
from ._patterns import parse_expression, refuse
from ._summation import einsum
from ._transform import rearrange, reduce, repeat

__all__ = ["EinopsError", "asnumpy", "einsum", "pack", "parse_shape", "rearrange", "reduce", "repeat", "unpack"]


def parse_shape(x, pattern):
    from ._transform import input_sizes

    if is_unknown(x) or not is_array(x) or is_unknown(pattern):
        return unknown("the shape of an unknown tensor")
    side = parse_expression("parse_shape", pattern, pattern, underscore=True)
    for group, is_grouped in zip(side.groups, side.parts):
        if is_grouped:
            refuse(
                False,
                "parse_shape",
                pattern,
                "each axis must be a single name here",
                group[0] if len(group) > 0 else None,
            )
    sizes = input_sizes("parse_shape", pattern, side, x)
    if is_unknown(sizes):
        return sizes
    named = {}
    for group, size in zip(side.groups, sizes):
        if group[0][0].isdecimal():
            refuse(size == int(group[0][0]), "parse_shape", pattern, f"{group[0][0]} is {size}", group[0])
        if len(group) == 1 and group[0][0] not in ("_", "...", "1"):
            named[group[0][0]] = size
    return named


def asnumpy(tensor):
    from numpy import ndarray

    from _pytrope import array, dtype_of

    if is_unknown(tensor) or not is_array(tensor):
        return unknown("an array of an unknown tensor")
    return array(ndarray, shape_of(tensor), dtype_of(tensor))
