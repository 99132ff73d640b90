"""Lazy layers: the sizes of the input are those of the first tensor that comes."""

from _pytrope import is_unknown, require, shape_of, unknown

from .._make import is_tensor, ranked
from .._versions import IS_NEW
from ._conv import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from ._linear import Linear
from ._module import Module
from ._norm import BatchNorm1d, BatchNorm2d, BatchNorm3d


class _Lazy(Module):
    """Creates the underlying layer at the first call."""

    kind = None
    place = 1
    # Sizes behind the channels, where the batch may be left out.
    spatial = None

    def __init__(self, *args, **kwargs):
        super().__init__()
        self._pytrope_set("_made_with", (args, kwargs))
        self._pytrope_set("_layer", None)

    def forward(self, input):
        if self._layer is None:
            if is_unknown(input) or not is_tensor(input) or not ranked(input):
                return unknown("the size that a lazy layer learns from its input")
            args, kwargs = self._made_with
            rank = len(shape_of(input))
            place = self.place if self.spatial is None else rank - self.spatial - 1
            if IS_NEW and self.spatial is not None:
                message = f"{type(self).__name__} takes rank {self.spatial + 2}, not shape {shape_of(input)}"
                require(place in (0, 1), RuntimeError, message, rule="layer-mismatch")
            elif IS_NEW:
                message = f"{type(self).__name__} learns a size that shape {shape_of(input)} does not have"
                require(-rank <= place and place < rank, IndexError, message, rule="layer-mismatch")
            if place >= rank or place < -rank or (self.spatial is not None and place not in (0, 1)):
                return unknown("an input without the size that a lazy layer needs")
            self._pytrope_set("_layer", self.kind(shape_of(input)[place], *args, **kwargs))
        return self._layer(input)

    def __getattr__(self, name):
        return unknown("a property of a lazy layer")


class LazyLinear(_Lazy):
    kind = Linear
    place = -1


class LazyConv1d(_Lazy):
    kind = Conv1d
    spatial = 1


class LazyConv2d(_Lazy):
    kind = Conv2d
    spatial = 2


class LazyConv3d(_Lazy):
    kind = Conv3d
    spatial = 3


class _LazyTransposed(_Lazy):
    def forward(self, input, output_size=None):
        made = super().forward(input)
        return made if output_size is None else unknown("an output whose size is asked for")


class LazyConvTranspose1d(_LazyTransposed):
    kind = ConvTranspose1d
    spatial = 1


class LazyConvTranspose2d(_LazyTransposed):
    kind = ConvTranspose2d
    spatial = 2


class LazyConvTranspose3d(_LazyTransposed):
    kind = ConvTranspose3d
    spatial = 3


class LazyBatchNorm1d(_Lazy):
    kind = BatchNorm1d


class LazyBatchNorm2d(_Lazy):
    kind = BatchNorm2d


class LazyBatchNorm3d(_Lazy):
    kind = BatchNorm3d
