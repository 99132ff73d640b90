"""einops.layers.torch: the operations as modules."""

import torch
from _pytrope import is_constant, is_unknown, product, require, unknown
from torch import nn, empty

from .._patterns import complain, parse_pattern
from .._summation import einsum
from .._transform import checked_sides, rearrange, reduce

__all__ = ["EinMix", "Rearrange", "Reduce"]


class Rearrange(nn.Module):
    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        checked_sides("rearrange", pattern, None, axes_lengths)
        self.pattern = pattern
        self.axes_lengths = axes_lengths

    def forward(self, input):
        return rearrange(input, self.pattern, **self.axes_lengths)


class Reduce(nn.Module):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        checked_sides("reduce", pattern, reduction, axes_lengths)
        self.pattern = pattern
        self.reduction = reduction
        self.axes_lengths = axes_lengths

    def forward(self, input):
        return reduce(input, self.pattern, self.reduction, **self.axes_lengths)


class EinMix(nn.Module):
    """A product with a learned weight whose axes are named; groups of axes are split before and joined after it."""

    def __init__(self, pattern, weight_shape, bias_shape=None, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.weight_shape = weight_shape
        self.axes_lengths = axes_lengths
        sides = parse_pattern("EinMix", pattern)
        self._sides = sides
        if not is_unknown(sides):
            for name in sides[1].names():
                if name not in sides[0].names() and name not in weight_shape.split():
                    complain("EinMix", pattern, f"axis {name} is neither in the input nor in the weight")
        sizes = [axes_lengths[name] if name in axes_lengths else unknown("a size") for name in weight_shape.split()]
        self.weight = nn.Parameter(empty(tuple(sizes)))
        if bias_shape is None:
            self.bias = None
        else:
            self.bias = nn.Parameter(empty(tuple([axes_lengths[name] for name in bias_shape.split()])))

    def forward(self, input):
        if is_unknown(self._sides):
            return unknown("a product by an unknown pattern")
        left, right = self._sides
        flat_left, flat_right = " ".join(left.names()), " ".join(right.names())
        known = {name: self.axes_lengths[name] for name in left.names() if name in self.axes_lengths}
        split = self.pattern.split("->")
        apart = rearrange(input, split[0] + "->" + flat_left, **known)
        mixed = einsum(apart, self.weight, f"{flat_left}, {self.weight_shape} -> {flat_right}")
        sizes = {name: self.axes_lengths[name] for name in right.names() if name in self.axes_lengths}
        return rearrange(mixed, flat_right + "->" + split[1], **sizes)
