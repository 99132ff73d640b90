"""Activation and dropout layers."""

from _pytrope import dtype_of, lifted, require, set_attrs, shape_of

from .._make import alike, tensor_arg, ranked
from . import _layers
from ._module import Module
from .parameter import parameter
from .._versions import by_release


class _Activation(Module):
    """Layers that keep the shape and whose arguments do not matter to it."""

    _pytrope_keeps_shape = True

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return _layers.activation(input)


class ReLU(_Activation):
    pass


class ReLU6(_Activation):
    pass


class Hardtanh(_Activation):
    pass


class Threshold(_Activation):
    pass


class _RealActivation(_Activation):
    """Activations that are not defined for integers."""

    def forward(self, input):
        return _layers.real_activation(input)


class LeakyReLU(_RealActivation):
    pass


class ELU(_RealActivation):
    pass


class SELU(_RealActivation):
    pass


class CELU(_RealActivation):
    pass


class GELU(_RealActivation):
    pass


class SiLU(_Activation):
    def forward(self, input):
        return _layers.silu(input)


class Mish(_RealActivation):
    pass


class RReLU(_RealActivation):
    pass


class Hardswish(_RealActivation):
    pass


class Hardsigmoid(_RealActivation):
    pass


class Softplus(_RealActivation):
    pass


class Softsign(_Activation):
    def forward(self, input):
        from .. import _elementwise

        return _elementwise.real(input)


class Softshrink(_RealActivation):
    pass


class Hardshrink(_RealActivation):
    pass


class LogSigmoid(_RealActivation):
    pass


class Tanhshrink(_Activation):
    def forward(self, input):
        return _layers.tanhshrink(input)


class Sigmoid(_Activation):
    def forward(self, input):
        from .. import _elementwise

        return _elementwise.real(input)


class Tanh(_Activation):
    def forward(self, input):
        from .. import _elementwise

        return _elementwise.real(input)


class PReLU(Module):
    _pytrope_keeps_shape = True

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        set_attrs(self, num_parameters=num_parameters)
        set_attrs(self, "_parameters", weight=parameter((num_parameters,), dtype, device))

    def forward(self, input):
        return _layers.prelu(input, self.weight)


class GLU(Module):
    def __init__(self, dim=-1):
        super().__init__()
        set_attrs(self, dim=dim)

    def forward(self, input):
        return _layers.glu(input, self.dim)


class Softmax(Module):
    _pytrope_keeps_shape = True

    def __init__(self, dim=None):
        super().__init__()
        set_attrs(self, dim=dim)

    def forward(self, input):
        return _layers.softmax(input, self.dim)


class LogSoftmax(Softmax):
    pass


class Softmin(Softmax):
    pass


class Softmax2d(Module):
    @lifted(tensor_arg, "input")
    def forward(self, input):
        if ranked(input):
            require(
                len(shape_of(input)) in (3, 4),
                by_release(AssertionError, ValueError),
                f"Softmax2d takes rank 3 or 4, not shape {shape_of(input)}",
                rule="layer-mismatch",
            )
        return alike(input, dtype_of(input))


class Dropout(Module):
    _pytrope_keeps_shape = True

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        _layers.probability(p)
        set_attrs(self, p=p, inplace=inplace)

    @lifted(tensor_arg, "input")
    def forward(self, input):
        return alike(input, dtype_of(input))


class AlphaDropout(Dropout):
    pass


class FeatureAlphaDropout(Dropout):
    pass


class Dropout1d(Dropout):
    @lifted(tensor_arg, "input")
    def forward(self, input):
        if ranked(input):
            require(
                len(shape_of(input)) in (2, 3),
                RuntimeError,
                f"Dropout1d takes rank 2 or 3, not shape {shape_of(input)}",
                rule="layer-mismatch",
            )
        return alike(input, dtype_of(input))


class Dropout2d(Dropout):
    @lifted(tensor_arg, "input")
    def forward(self, input):
        if ranked(input) and self.training:
            require(
                len(shape_of(input)) >= 2,
                RuntimeError,
                f"{type(self).__name__} needs channels, but this tensor has shape {shape_of(input)}",
                rule="layer-mismatch",
            )
        return alike(input, dtype_of(input))


class Dropout3d(Dropout):
    pass
