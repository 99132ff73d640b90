"""Lazy layers: the sizes of the input are those of the first tensor that comes."""

from _pytrope import is_unknown, shape_of, unknown

from .._make import is_tensor, ranked
from ._conv import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from ._linear import Linear
from ._module import Module
from ._norm import BatchNorm1d, BatchNorm2d, BatchNorm3d


class _Lazy(Module):
    """Creates the underlying layer at the first call."""

    kind = None
    place = 1

    def __init__(self, *args, **kwargs):
        super().__init__()
        self._pytrope_set("_made_with", (args, kwargs))
        self._pytrope_set("_layer", None)

    def forward(self, input):
        if self._layer is None:
            if is_unknown(input) or not is_tensor(input) or not ranked(input):
                return unknown("the size that a lazy layer learns from its input")
            args, kwargs = self._made_with
            self._pytrope_set("_layer", self.kind(shape_of(input)[self.place], *args, **kwargs))
        return self._layer(input)

    def __getattr__(self, name):
        return unknown("a property of a lazy layer")


class LazyLinear(_Lazy):
    kind = Linear
    place = -1


class LazyConv1d(_Lazy):
    kind = Conv1d


class LazyConv2d(_Lazy):
    kind = Conv2d


class LazyConv3d(_Lazy):
    kind = Conv3d


class LazyConvTranspose1d(_Lazy):
    kind = ConvTranspose1d


class LazyConvTranspose2d(_Lazy):
    kind = ConvTranspose2d


class LazyConvTranspose3d(_Lazy):
    kind = ConvTranspose3d


class LazyBatchNorm1d(_Lazy):
    kind = BatchNorm1d


class LazyBatchNorm2d(_Lazy):
    kind = BatchNorm2d


class LazyBatchNorm3d(_Lazy):
    kind = BatchNorm3d
