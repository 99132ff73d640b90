"""torch.nn.init: initialisers write into a tensor and return it."""

import torch

from _pytrope import lifted, require, shape_of, unknown

from .._elementwise import rewritten
from .._make import tensor_arg, ranked


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    return rewritten(tensor)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    return rewritten(tensor)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    return rewritten(tensor)


def constant_(tensor, val):
    return rewritten(tensor)


def ones_(tensor):
    return rewritten(tensor)


def zeros_(tensor):
    return rewritten(tensor)


@lifted(tensor_arg, "tensor")
def of_rank(tensor, least, name):
    if ranked(tensor):
        require(
            len(shape_of(tensor)) >= least,
            ValueError,
            f"{name} needs at least {least} dimensions, but this tensor has shape {shape_of(tensor)}",
        )
    return rewritten(tensor)


@lifted(tensor_arg, "tensor")
def eye_(tensor):
    if ranked(tensor):
        require(
            len(shape_of(tensor)) == 2, ValueError, f"eye_ needs a matrix, but this tensor has shape {shape_of(tensor)}"
        )
    return rewritten(tensor)


def dirac_(tensor, groups=1):
    return of_rank(tensor, 3, "dirac_")


def xavier_uniform_(tensor, gain=1.0, generator=None):
    return of_rank(tensor, 2, "xavier_uniform_")


def xavier_normal_(tensor, gain=1.0, generator=None):
    return of_rank(tensor, 2, "xavier_normal_")


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    return rewritten(tensor)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    return rewritten(tensor)


def orthogonal_(tensor, gain=1, generator=None):
    return of_rank(tensor, 2, "orthogonal_")


def sparse_(tensor, sparsity, std=0.01):
    return rewritten(tensor)


def _calculate_fan_in_and_fan_out(tensor):
    sizes = shape_of(tensor)
    require(
        len(sizes) >= 2, ValueError, "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
    )
    receptive = 1
    for size in sizes[2:]:
        receptive *= size
    return sizes[1] * receptive, sizes[0] * receptive


def calculate_gain(nonlinearity, param=None):
    return float(unknown("the gain"))


uniform = uniform_
normal = normal_
constant = constant_
xavier_uniform = xavier_uniform_
xavier_normal = xavier_normal_
kaiming_uniform = kaiming_uniform_
kaiming_normal = kaiming_normal_
orthogonal = orthogonal_
