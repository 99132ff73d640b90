"""torchvision.utils: pictures of several tensors."""

import torch
from _pytrope import dtype_of, is_constant, is_unknown, shape_of, unknown
from torch._make import is_tensor, ranked, tensor, unranked


def make_grid(tensor_images, nrow=8, padding=2, **options):
    """A grid of pictures; grey ones get three channels."""
    if is_unknown(tensor_images) or not is_tensor(tensor_images) or not ranked(tensor_images):
        return unranked()
    shape = shape_of(tensor_images)
    if len(shape) != 4 or not is_constant(shape[0]) or not is_constant(nrow) or shape[0] == 0:
        return tensor((unknown("channels"), unknown("height"), unknown("width")), dtype_of(tensor_images))
    channels = 3 if is_constant(shape[1]) and shape[1] == 1 else shape[1]
    if shape[0] == 1:
        return tensor((channels, shape[2], shape[3]), dtype_of(tensor_images))
    across = nrow if nrow < shape[0] else shape[0]
    down = -(-shape[0] // across)
    return tensor(
        (channels, down * (shape[2] + padding) + padding, across * (shape[3] + padding) + padding),
        dtype_of(tensor_images),
    )


def save_image(tensor, fp, format=None, **options):
    return None
