"""Convolution, pooling and padding layers."""

from _pytrope import is_constant, is_unknown, lifted, proved, require, set_attrs, shape_of

from .._make import ranked, tensor_arg
from . import _padding, _windows
from ._linear import sized
from ._module import Module
from .parameter import parameter


def each(value, dims):
    """What the layer keeps for an argument given as one number."""
    if is_unknown(value):
        return value
    if isinstance(value, int):
        return (value,) * dims
    if isinstance(value, str):
        return value
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * dims


class _Convolution(Module):
    dims = 2

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        _divisible(in_channels, out_channels, groups)
        set_attrs(
            self,
            in_channels=in_channels,
            out_channels=out_channels,
            kernel_size=each(kernel_size, self.dims),
            stride=each(stride, self.dims),
            padding=each(padding, self.dims),
            dilation=each(dilation, self.dims),
            transposed=False,
            output_padding=(0,) * self.dims,
            groups=groups,
            padding_mode=padding_mode,
        )
        if isinstance(padding, str) and padding == "same" and is_constant(self.stride):
            for step in self.stride:
                require(step == 1, ValueError, "padding='same' needs stride 1")
        if is_unknown(self.kernel_size):
            self.weight = unsized_weight(dtype)
        else:
            self.weight = parameter((out_channels, in_channels // groups) + self.kernel_size, dtype, device)
        set_attrs(self, "_parameters", bias=parameter((out_channels,), dtype, device) if bias else None)

    def reset_parameters(self):
        return None

    def forward(self, input):
        if self.padding_mode != "zeros":
            return self._mirrored(input)
        return _windows.convolution(
            input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups, self.dims
        )

    def _mirrored(self, input):
        if is_unknown(self.padding) or isinstance(self.padding, str):
            from .._make import unranked

            return unranked()
        amounts = []
        for amount in self.padding[::-1]:
            amounts.extend([amount, amount])
        wider = _padding.pad(input, amounts, self.padding_mode)
        return _windows.convolution(
            wider, self.weight, self.bias, self.stride, 0, self.dilation, self.groups, self.dims
        )


def unsized_weight(dtype):
    from _pytrope import unknown

    return parameter(unknown("the kernel size is not known"), dtype, unknown("the device"))


def _divisible(in_channels, out_channels, groups):
    if not is_unknown(groups) and not proved(groups == 1):
        require(groups > 0, ValueError, "groups must be a positive integer")
        for channels, name in ((in_channels, "in_channels"), (out_channels, "out_channels")):
            if not is_unknown(channels) and not isinstance(channels, (str, float)) and channels is not None:
                require(channels % groups == 0, ValueError, f"{name} {channels} is not divisible by groups {groups}")
    sized(in_channels, "in_channels")
    sized(out_channels, "out_channels")


class Conv1d(_Convolution):
    dims = 1


class Conv2d(_Convolution):
    dims = 2


class Conv3d(_Convolution):
    dims = 3


class _Transposed(Module):
    dims = 2

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        device=None,
        dtype=None,
    ):
        super().__init__()
        _divisible(in_channels, out_channels, groups)
        require(padding_mode == "zeros", ValueError, "transposed convolutions pad with zeros only")
        set_attrs(
            self,
            in_channels=in_channels,
            out_channels=out_channels,
            kernel_size=each(kernel_size, self.dims),
            stride=each(stride, self.dims),
            padding=each(padding, self.dims),
            output_padding=each(output_padding, self.dims),
            dilation=each(dilation, self.dims),
            transposed=True,
            groups=groups,
            padding_mode=padding_mode,
        )
        if is_unknown(self.kernel_size):
            self.weight = unsized_weight(dtype)
        else:
            self.weight = parameter((in_channels, out_channels // groups) + self.kernel_size, dtype, device)
        set_attrs(self, "_parameters", bias=parameter((out_channels,), dtype, device) if bias else None)

    def forward(self, input, output_size=None):
        if output_size is not None:
            from .._make import unranked

            return unranked()
        return _windows.transposed(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            self.output_padding,
            self.groups,
            self.dilation,
            self.dims,
        )


class ConvTranspose1d(_Transposed):
    dims = 1


class ConvTranspose2d(_Transposed):
    dims = 2


class ConvTranspose3d(_Transposed):
    dims = 3


class _MaxPool(Module):
    dims = 2

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        set_attrs(
            self,
            kernel_size=kernel_size,
            stride=kernel_size if stride is None else stride,
            padding=padding,
            dilation=dilation,
            return_indices=return_indices,
            ceil_mode=ceil_mode,
        )

    def forward(self, input):
        return _windows.max_pool(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            self.ceil_mode,
            self.return_indices,
            self.dims,
        )


class MaxPool1d(_MaxPool):
    dims = 1


class MaxPool2d(_MaxPool):
    dims = 2


class MaxPool3d(_MaxPool):
    dims = 3


class _AvgPool(Module):
    dims = 2

    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None
    ):
        super().__init__()
        set_attrs(
            self,
            kernel_size=kernel_size,
            stride=kernel_size if stride is None else stride,
            padding=padding,
            ceil_mode=ceil_mode,
            count_include_pad=count_include_pad,
            divisor_override=divisor_override,
        )

    def forward(self, input):
        return _windows.pooling(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            1,
            self.ceil_mode,
            self.dims,
            f"avg_pool{self.dims}d",
            True,
        )


class AvgPool1d(_AvgPool):
    dims = 1


class AvgPool2d(_AvgPool):
    dims = 2


class AvgPool3d(_AvgPool):
    dims = 3


class LPPool2d(Module):
    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        set_attrs(self, options=(norm_type, kernel_size, stride, ceil_mode))

    def forward(self, input):
        return _windows.lp_pool2d(input, *self.options)


class LPPool1d(LPPool2d):
    def forward(self, input):
        return _windows.lp_pool1d(input, *self.options)


class _Adaptive(Module):
    dims = 2
    averages = True

    def __init__(self, output_size, return_indices=False):
        super().__init__()
        set_attrs(self, output_size=output_size)
        if not self.averages:
            set_attrs(self, return_indices=return_indices)

    def forward(self, input):
        return _windows.adaptive(input, self.output_size, self.dims, f"adaptive pooling in {self.dims}d", self.averages)


class AdaptiveAvgPool1d(_Adaptive):
    dims = 1


class AdaptiveAvgPool2d(_Adaptive):
    dims = 2


class AdaptiveAvgPool3d(_Adaptive):
    dims = 3


class AdaptiveMaxPool1d(_Adaptive):
    dims = 1
    averages = False


class AdaptiveMaxPool2d(_Adaptive):
    dims = 2
    averages = False


class AdaptiveMaxPool3d(_Adaptive):
    dims = 3
    averages = False


class _Pad(Module):
    dims = 2
    mode = "constant"

    def __init__(self, padding, value=None):
        super().__init__()
        self.padding = (
            padding
            if is_unknown(padding)
            else tuple(padding)
            if isinstance(padding, (tuple, list))
            else (padding,) * (2 * self.dims)
        )
        if self.mode == "constant":
            set_attrs(self, value=0.0 if value is None else value)

    def forward(self, input):
        return _padding.pad(input, self.padding, self.mode)


class ZeroPad1d(_Pad):
    dims = 1


class ZeroPad2d(_Pad):
    pass


class ZeroPad3d(_Pad):
    dims = 3


class CircularPad2d(_Pad):
    mode = "circular"

    @lifted(tensor_arg, "input")
    def forward(self, input):
        if ranked(input):
            rank = len(shape_of(input))
            require(
                rank == self.dims + 1 or rank == self.dims + 2,
                ValueError,
                f"{type(self).__name__} takes rank {self.dims + 1} or {self.dims + 2}, not shape {shape_of(input)}",
                rule="layer-mismatch",
            )
        return _padding.pad(input, self.padding, self.mode)


class CircularPad1d(CircularPad2d):
    dims = 1


class CircularPad3d(CircularPad2d):
    dims = 3


class ConstantPad1d(_Pad):
    dims = 1


class ConstantPad2d(_Pad):
    dims = 2


class ConstantPad3d(_Pad):
    dims = 3


class ReflectionPad1d(_Pad):
    dims = 1
    mode = "reflect"


class ReflectionPad2d(_Pad):
    dims = 2
    mode = "reflect"


class ReflectionPad3d(_Pad):
    dims = 3
    mode = "reflect"


class ReplicationPad1d(_Pad):
    dims = 1
    mode = "replicate"


class ReplicationPad2d(_Pad):
    dims = 2
    mode = "replicate"


class ReplicationPad3d(_Pad):
    dims = 3
    mode = "replicate"
