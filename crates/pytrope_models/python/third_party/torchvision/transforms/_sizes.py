"""Sizes of pictures and tensors, and the same with other sizes."""

import torch
from _pytrope import dtype_of, is_array, is_constant, is_unknown, require, shape_of, unknown
from torch._make import is_tensor, ranked, tensor

from .._images import Picture


def frame(x):
    """`(channels, height, width)` of a picture or a tensor; Unknown for anything else."""
    if isinstance(x, Picture):
        return x._channels, x._height, x._width
    if not is_unknown(x) and is_array(x) and is_tensor(x) and ranked(x) and len(shape_of(x)) >= 3:
        shape = shape_of(x)
        return shape[-3], shape[-2], shape[-1]
    return unknown("an image of unknown size")


def reframed(x, channels, height, width):
    """The same picture or tensor in another size."""
    if isinstance(x, Picture):
        return Picture(channels, height, width)
    return tensor(shape_of(x)[:-3] + (channels, height, width), dtype_of(x))


def pair(size):
    """A size argument as height and width; Unknown if it is not known."""
    if is_unknown(size):
        return size
    if isinstance(size, int):
        return size, size
    if isinstance(size, (list, tuple)) and is_constant(len(size)):
        if len(size) == 2:
            return size[0], size[1]
        if len(size) == 1:
            return size[0], size[0]
    return unknown("an unknown size")


def resized(height, width, size, max_size=None):
    """The size after a resize: of the shorter side if one number is given."""
    if max_size is not None or is_unknown(size):
        return unknown("an unknown size")
    if isinstance(size, (list, tuple)) and len(size) == 2:
        return size[0], size[1]
    if isinstance(size, (list, tuple)):
        size = size[0]
    if height is width or (is_constant(height) and is_constant(width) and height == width):
        return size, size
    if is_constant(height) and is_constant(width) and is_constant(size):
        if height < width:
            return size, int(size * width / height)
        return int(size * height / width), size
    return unknown("the longer side")


def check_crop(height, width, wanted):
    require(
        wanted[0] <= height and wanted[1] <= width,
        ValueError,
        f"a crop of {wanted} does not fit into an image of height {height} and width {width}",
        rule="shape-argument",
    )


def border(padding):
    """What padding adds to height and width; Unknown if it is not known."""
    if is_unknown(padding):
        return padding
    if isinstance(padding, int):
        return 2 * padding, 2 * padding
    if isinstance(padding, (list, tuple)) and is_constant(len(padding)):
        if len(padding) == 1:
            return 2 * padding[0], 2 * padding[0]
        if len(padding) == 2:
            return 2 * padding[1], 2 * padding[0]
        if len(padding) == 4:
            return padding[1] + padding[3], padding[0] + padding[2]
    return unknown("an unknown padding")
