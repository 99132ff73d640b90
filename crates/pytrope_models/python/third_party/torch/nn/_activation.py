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
    def __init__(self, inplace=False):
        super().__init__()
        set_attrs(self, inplace=inplace)


class ReLU6(_Activation):
    def __init__(self, inplace=False):
        super().__init__()
        set_attrs(self, min_val=0.0, max_val=6.0, inplace=inplace)


class Hardtanh(_Activation):
    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        super().__init__()
        set_attrs(self, min_val=min_val if min_value is None else min_value, inplace=inplace)
        set_attrs(self, max_val=max_val if max_value is None else max_value)


class Threshold(_Activation):
    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        set_attrs(self, threshold=threshold, value=value, inplace=inplace)

    def forward(self, input):
        return _layers.threshold(input, self.threshold, self.value)


class _RealActivation(_Activation):
    """Activations that are not defined for integers."""

    def forward(self, input):
        return _layers.real_activation(input)


class LeakyReLU(_RealActivation):
    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__()
        set_attrs(self, negative_slope=negative_slope, inplace=inplace)


class ELU(_RealActivation):
    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        set_attrs(self, alpha=alpha, inplace=inplace)


class SELU(_RealActivation):
    def __init__(self, inplace=False):
        super().__init__()
        set_attrs(self, inplace=inplace)


class CELU(_RealActivation):
    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        set_attrs(self, alpha=alpha, inplace=inplace)


class GELU(_RealActivation):
    def __init__(self, approximate="none"):
        super().__init__()
        set_attrs(self, approximate=approximate)


class SiLU(_Activation):
    def __init__(self, inplace=False):
        super().__init__()
        set_attrs(self, inplace=inplace)

    def forward(self, input):
        return _layers.silu(input)


class Mish(_RealActivation):
    def __init__(self, inplace=False):
        super().__init__()
        set_attrs(self, inplace=inplace)


class RReLU(_RealActivation):
    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__()
        set_attrs(self, lower=lower, upper=upper, inplace=inplace)


class Hardswish(_RealActivation):
    def __init__(self, inplace=False):
        super().__init__()
        set_attrs(self, inplace=inplace)


class Hardsigmoid(_RealActivation):
    def __init__(self, inplace=False):
        super().__init__()
        set_attrs(self, inplace=inplace)


class Softplus(_RealActivation):
    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        set_attrs(self, beta=beta, threshold=threshold)


class Softsign(_Activation):
    def forward(self, input):
        from .. import _elementwise

        return _elementwise.real(input)


class Softshrink(_RealActivation):
    def __init__(self, lambd=0.5):
        super().__init__()
        set_attrs(self, lambd=lambd)


class Hardshrink(_RealActivation):
    def __init__(self, lambd=0.5):
        super().__init__()
        set_attrs(self, lambd=lambd)


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
        set_attrs(self, num_parameters=num_parameters, init=init)
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

    def forward(self, input):
        return _layers.dropout(input, self.p, self.training)


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
        return _layers.dropout(input, self.p, self.training)


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
        return _layers.dropout(input, self.p, self.training)


class Dropout3d(Dropout):
    def forward(self, input):
        return _layers.dropout3d(input, self.p, self.training)
