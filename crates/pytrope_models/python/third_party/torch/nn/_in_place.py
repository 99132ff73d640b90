"""Activations that write into their tensor."""

from .._elementwise import changed
from . import _layers


def threshold_(input, threshold, value):
    _layers.threshold(input, threshold, value)
    return changed(input)


def hardtanh_(input, min_val=-1.0, max_val=1.0):
    _layers.activation(input)
    return changed(input)


def _in_place_of_floats(input, *args):
    _layers.real_activation(input)
    return changed(input)


def celu_(input, alpha=1.0):
    return _in_place_of_floats(input)


def elu_(input, alpha=1.0):
    return _in_place_of_floats(input)


def leaky_relu_(input, negative_slope=0.01):
    return _in_place_of_floats(input)
