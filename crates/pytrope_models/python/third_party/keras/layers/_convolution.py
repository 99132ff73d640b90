"""Convolutions, pooling, padding, cropping, resizing: windows over the inner axes, channels last."""

from _pytrope import fresh, has_rank, is_constant, is_unknown, require, shape_of, unknown

from keras._base import Layer, activated, alone, at_least, of_rank, result, same_features, single, with_bias
from tensorflow._make import MODE, shown, is_symbolic

from ._core import Weightless


def each(value, count):
    """An argument that is one number for all axes or one for each; None where it is not known."""
    if is_unknown(value):
        return None
    if isinstance(value, int):
        return (value,) * count
    if isinstance(value, (tuple, list)) and has_rank(value) and len(value) == count:
        for one in value:
            if is_unknown(one) or not isinstance(one, int):
                return None
        return tuple(value)
    return None


def windows(x, size, kernel, stride, dilation, padding, what):
    """How many places a window has along one axis; one that is too large raises in a graph, and not always eagerly."""
    if padding == "same" or padding == "causal":
        return (size + stride - 1) // stride
    reach = dilation * (kernel - 1) + 1
    if is_constant(size) and is_constant(reach):
        if not is_symbolic(x) and not MODE.tracing and size < reach:
            return fresh("size")
        require(
            size >= reach,
            ValueError,
            f"the window of {what} spans {reach} positions, but the input has shape {shown(shape_of(x))}",
            rule="layer-mismatch",
        )
    return (size - reach) // stride + 1


def lowered(padding):
    return padding.lower() if isinstance(padding, str) and is_constant(padding) else unknown("the padding")


class _Convolution(Layer):
    _pytrope_axes = 2

    def __init__(
        self,
        filters,
        kernel_size,
        strides=1,
        padding="valid",
        data_format=None,
        dilation_rate=1,
        groups=1,
        activation=None,
        use_bias=True,
        *args,
        **kwargs,
    ):
        super().__init__(**kwargs)
        if is_constant(filters) and isinstance(filters, int):
            require(filters > 0, ValueError, f"filters must be a positive integer, not {filters}")
            if is_constant(groups) and isinstance(groups, int) and groups > 0:
                require(filters % groups == 0, ValueError, f"{filters} filters cannot be split into {groups} groups")
        self.filters = filters
        self.kernel_size = kernel_size
        self.strides = strides
        self.padding = lowered(padding)
        self.data_format = data_format
        self.dilation_rate = dilation_rate
        self.groups = groups
        self.activation = activation
        self.use_bias = use_bias
        self._pytrope_features = unknown("not built")

    def _pytrope_filters(self, channels):
        return fresh("filters") if is_unknown(self.filters) else self.filters

    def call(self, inputs, training=None, mask=None):
        axes = self._pytrope_axes
        what = f"a convolution over {axes} axes"
        x = alone(inputs, what)
        if is_unknown(x):
            return unknown("a convolution of an unknown input")
        at_least(x, axes + 2, what)
        shape = shape_of(x)
        if len(shape) != axes + 2 or not (self.data_format is None or self.data_format == "channels_last"):
            return unknown("a convolution with an unsupported layout")
        kernel, stride = each(self.kernel_size, axes), each(self.strides, axes)
        dilation = each(self.dilation_rate, axes)
        if kernel is None or stride is None or dilation is None or is_unknown(self.padding):
            return unknown("a convolution with unknown arguments")
        same_features(self, shape[-1], x, what)
        if is_constant(self.groups) and self.groups != 1 and is_constant(shape[-1]):
            require(
                shape[-1] % self.groups == 0,
                ValueError,
                f"{shape[-1]} channels cannot be split into {self.groups} groups",
                rule="layer-mismatch",
            )
        sizes = [
            windows(x, shape[1 + at], kernel[at], stride[at], dilation[at], self.padding, what) for at in range(axes)
        ]
        made = result(x, (shape[0],) + tuple(sizes) + (self._pytrope_filters(shape[-1]),), "float32")
        return activated(made, self.activation)

    def _pytrope_sizes(self):
        kernel = each(self.kernel_size, self._pytrope_axes)
        if kernel is None or not is_constant((self.groups, self._pytrope_features, self.filters)):
            return unknown("the weights of a convolution")
        return with_bias(self._pytrope_kernels(kernel), (self._pytrope_filters(self._pytrope_features),), self.use_bias)

    def _pytrope_kernels(self, kernel):
        """The shapes of the kernels, in their order."""
        return [kernel + (self._pytrope_features // self.groups, self.filters)]


class Conv1D(_Convolution):
    _pytrope_axes = 1


class Conv2D(_Convolution):
    _pytrope_axes = 2


class Conv3D(_Convolution):
    _pytrope_axes = 3


class SeparableConv1D(_Convolution):
    _pytrope_axes = 1

    def __init__(
        self,
        filters,
        kernel_size,
        strides=1,
        padding="valid",
        data_format=None,
        dilation_rate=1,
        depth_multiplier=1,
        activation=None,
        use_bias=True,
        *args,
        **kwargs,
    ):
        super().__init__(
            filters,
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
            activation=activation,
            use_bias=use_bias,
            **kwargs,
        )
        self.depth_multiplier = depth_multiplier

    def _pytrope_kernels(self, kernel):
        channels, more = self._pytrope_features, self.depth_multiplier
        if not is_constant(more):
            return [(more,)]
        point = (1,) * self._pytrope_axes
        return [kernel + (channels, more), point + (channels * more, self.filters)]


class SeparableConv2D(SeparableConv1D):
    _pytrope_axes = 2


class DepthwiseConv1D(_Convolution):
    _pytrope_axes = 1

    def __init__(
        self,
        kernel_size,
        strides=1,
        padding="valid",
        depth_multiplier=1,
        data_format=None,
        dilation_rate=1,
        *args,
        **kwargs,
    ):
        super().__init__(
            None,
            kernel_size,
            strides,
            padding,
            data_format,
            dilation_rate,
            **kwargs,
        )
        self.depth_multiplier = depth_multiplier

    def _pytrope_filters(self, channels):
        return fresh("filters") if is_unknown(self.depth_multiplier) else channels * self.depth_multiplier

    def _pytrope_kernels(self, kernel):
        return [kernel + (self._pytrope_features, self.depth_multiplier)]


class DepthwiseConv2D(DepthwiseConv1D):
    _pytrope_axes = 2


class _Transposed(Layer):
    _pytrope_axes = 2

    def __init__(
        self,
        filters,
        kernel_size,
        strides=1,
        padding="valid",
        output_padding=None,
        data_format=None,
        dilation_rate=1,
        *args,
        use_bias=True,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.filters = filters
        self.kernel_size = kernel_size
        self.strides = strides
        self.use_bias = use_bias
        self.padding = lowered(padding)
        self.data_format = data_format if output_padding is None and dilation_rate == 1 else unknown("a layout")
        self._pytrope_features = unknown("not built")

    def call(self, inputs, training=None, mask=None):
        axes = self._pytrope_axes
        what = f"a transposed convolution over {axes} axes"
        x = single(inputs, what)
        if is_unknown(x):
            return unknown("a convolution of an unknown input")
        of_rank(x, axes + 2, what)
        shape = shape_of(x)
        kernel, stride = each(self.kernel_size, axes), each(self.strides, axes)
        if kernel is None or stride is None or is_unknown(self.padding) or is_unknown(self.data_format):
            return unknown("a convolution with unknown arguments")
        if not (self.data_format is None or self.data_format == "channels_last"):
            return unknown("a convolution with an unsupported layout")
        same_features(self, shape[-1], x, what)
        sizes = []
        for at in range(axes):
            size = shape[1 + at] * stride[at]
            if self.padding == "valid" and kernel[at] > stride[at]:
                size = size + kernel[at] - stride[at]
            sizes.append(size)
        filters = fresh("filters") if is_unknown(self.filters) else self.filters
        return result(x, (shape[0],) + tuple(sizes) + (filters,), "float32")

    def _pytrope_sizes(self):
        kernel = each(self.kernel_size, self._pytrope_axes)
        if kernel is None:
            return unknown("the weights of a convolution")
        return with_bias([kernel + (self.filters, self._pytrope_features)], (self.filters,), self.use_bias)


class Conv1DTranspose(_Transposed):
    _pytrope_axes = 1


class Conv2DTranspose(_Transposed):
    _pytrope_axes = 2


class Conv3DTranspose(_Transposed):
    _pytrope_axes = 3


class _Pooling(Weightless):
    _pytrope_axes = 2

    def __init__(self, pool_size=2, strides=None, padding="valid", data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.pool_size = pool_size
        self.strides = pool_size if strides is None else strides
        self.padding = lowered(padding)
        self.data_format = data_format

    def call(self, inputs, training=None, mask=None):
        axes = self._pytrope_axes
        what = f"pooling over {axes} axes"
        x = single(inputs, what)
        if is_unknown(x):
            return unknown("pooling of an unknown input")
        of_rank(x, axes + 2, what)
        shape = shape_of(x)
        pool, stride = each(self.pool_size, axes), each(self.strides, axes)
        if pool is None or stride is None or is_unknown(self.padding):
            return unknown("pooling with unknown arguments")
        if not (self.data_format is None or self.data_format == "channels_last"):
            return unknown("pooling with an unsupported layout")
        sizes = [windows(x, shape[1 + at], pool[at], stride[at], 1, self.padding, what) for at in range(axes)]
        return result(x, (shape[0],) + tuple(sizes) + (shape[-1],))


class MaxPooling1D(_Pooling):
    _pytrope_axes = 1


class MaxPooling2D(_Pooling):
    _pytrope_axes = 2


class MaxPooling3D(_Pooling):
    _pytrope_axes = 3


class AveragePooling1D(_Pooling):
    _pytrope_axes = 1


class AveragePooling2D(_Pooling):
    _pytrope_axes = 2


class AveragePooling3D(_Pooling):
    _pytrope_axes = 3


class _GlobalPooling(Weightless):
    _pytrope_axes = 2

    def __init__(self, data_format=None, keepdims=False, **kwargs):
        super().__init__(**kwargs)
        self.data_format = data_format
        self.keepdims = keepdims

    def call(self, inputs, training=None, mask=None):
        axes = self._pytrope_axes
        x = single(inputs, "pooling")
        if is_unknown(x) or not is_constant(self.keepdims):
            return unknown("pooling of an unknown input")
        of_rank(x, axes + 2, f"pooling over all of {axes} axes")
        if not (self.data_format is None or self.data_format == "channels_last"):
            return unknown("pooling with an unsupported layout")
        shape = shape_of(x)
        kept = (1,) * axes if self.keepdims else ()
        return result(x, (shape[0],) + kept + (shape[-1],))


class GlobalMaxPooling1D(_GlobalPooling):
    _pytrope_axes = 1


class GlobalMaxPooling2D(_GlobalPooling):
    _pytrope_axes = 2


class GlobalMaxPooling3D(_GlobalPooling):
    _pytrope_axes = 3


class GlobalAveragePooling1D(_GlobalPooling):
    _pytrope_axes = 1


class GlobalAveragePooling2D(_GlobalPooling):
    _pytrope_axes = 2


class GlobalAveragePooling3D(_GlobalPooling):
    _pytrope_axes = 3


class _Enlarging(Weightless):
    """Upsampling, padding and cropping: each axis gets a size of its own."""

    _pytrope_axes = 2

    def __init__(self, amount, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self._pytrope_amount = amount
        self.data_format = data_format

    def call(self, inputs, training=None, mask=None):
        axes = self._pytrope_axes
        x = single(inputs, "a layer")
        amounts = pairs(self._pytrope_amount, axes)
        if is_unknown(x) or amounts is None:
            return unknown("a layer on an unknown input")
        if isinstance(self, UpSampling3D) and len(shape_of(x)) != 5:
            return unknown("a layer on another rank")
        of_rank(x, axes + 2, f"{type(self).__name__}")
        if not (self.data_format is None or self.data_format == "channels_last"):
            return unknown("an unsupported layout")
        shape = shape_of(x)
        sizes = [self._pytrope_size(shape[1 + at], amounts[at]) for at in range(axes)]
        return result(x, (shape[0],) + tuple(sizes) + (shape[-1],))


def pairs(value, count):
    """Amounts before and after each axis, from one number, one for each axis, or one pair for each."""
    if is_unknown(value):
        return None
    if isinstance(value, int):
        return [(value, value)] * count
    if not isinstance(value, (tuple, list)) or not has_rank(value):
        return None
    if count == 1 and len(value) == 2 and isinstance(value[0], int):
        return [(value[0], value[1])]
    if len(value) != count:
        return None
    found = []
    for one in value:
        if isinstance(one, int):
            found.append((one, one))
        elif isinstance(one, (tuple, list)) and len(one) == 2:
            found.append((one[0], one[1]))
        else:
            return None
    return found


class UpSampling1D(_Enlarging):
    _pytrope_axes = 1

    def __init__(self, size=2, **kwargs):
        super().__init__(size, **kwargs)

    def _pytrope_size(self, size, amount):
        return size * amount[0]


class UpSampling2D(_Enlarging):
    def __init__(self, size=(2, 2), data_format=None, interpolation="nearest", **kwargs):
        super().__init__(size, data_format, **kwargs)

    def _pytrope_size(self, size, amount):
        return size * amount[0]


class UpSampling3D(UpSampling2D):
    _pytrope_axes = 3

    def __init__(self, size=(2, 2, 2), data_format=None, **kwargs):
        super().__init__(size, data_format, **kwargs)


class ZeroPadding1D(_Enlarging):
    _pytrope_axes = 1

    def __init__(self, padding=1, data_format=None, **kwargs):
        super().__init__(padding, data_format, **kwargs)

    def _pytrope_size(self, size, amount):
        return size + amount[0] + amount[1]


class ZeroPadding2D(ZeroPadding1D):
    _pytrope_axes = 2


class ZeroPadding3D(ZeroPadding1D):
    _pytrope_axes = 3


class _Cropping(_Enlarging):
    def _pytrope_size(self, size, amount):
        if isinstance(self, Cropping3D):
            # Nothing may be left here.
            return fresh("size")
        if is_constant(size) and is_constant(amount):
            require(
                size > amount[0] + amount[1],
                ValueError,
                f"cannot crop {amount[0]} + {amount[1]} from an axis of size {size}",
                rule="layer-mismatch",
            )
        return size - amount[0] - amount[1]


class Cropping1D(_Cropping):
    _pytrope_axes = 1

    def __init__(self, cropping=(1, 1), **kwargs):
        super().__init__(cropping, **kwargs)


class Cropping2D(_Cropping):
    def __init__(self, cropping=((0, 0), (0, 0)), data_format=None, **kwargs):
        super().__init__(cropping, data_format, **kwargs)


class Cropping3D(_Cropping):
    _pytrope_axes = 3

    def __init__(self, cropping=((1, 1), (1, 1), (1, 1)), data_format=None, **kwargs):
        super().__init__(cropping, data_format, **kwargs)


class Resizing(Weightless):
    def __init__(self, height, width, *args, **kwargs):
        super().__init__(**kwargs)
        self.height = height
        self.width = width

    def call(self, inputs, training=None, mask=None):
        x = single(inputs, "Resizing")
        if is_unknown(x) or is_unknown(self.height) or is_unknown(self.width):
            return unknown("Resizing of an unknown input")
        shape = shape_of(x)
        if len(shape) == 4:
            return result(x, (shape[0], self.height, self.width, shape[3]), unknown("the dtype"))
        if len(shape) == 3:
            return result(x, (self.height, self.width, shape[2]), unknown("the dtype"))
        return unknown("Resizing of another rank")


class CenterCrop(Resizing):
    pass
