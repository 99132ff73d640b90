"""flax.linen: modules are described first; `init` and `apply` run them on arrays.

Parameters are not kept: a module is judged by what its own description does with the input of `apply`. That parameters
made for other inputs do not fit is not seen.
"""

from _pytrope import (
    array,
    dtype_of,
    has_rank,
    havoc,
    is_array,
    is_constant,
    is_unknown,
    require,
    set_attrs,
    shape_of,
    unknown,
)

from jax._array import Array
from jax.nn import (
    elu,
    gelu,
    leaky_relu,
    log_sigmoid,
    log_softmax,
    one_hot,
    relu,
    sigmoid,
    silu,
    softmax,
    softplus,
    swish,
)
from jax.nn import mapped as tanh


def compact(function):
    return function


def nowrap(function):
    return function


class Module:
    """A dataclass. `setup`, which flax runs when the module is first used, is run at once."""

    def __init__(self, *args, **kwargs):
        if len(args) > 0:
            # Fields in the order of the class and its bases are not followed.
            havoc(self)
        else:
            set_attrs(self, **kwargs)
            self.setup()

    def setup(self):
        return None

    def init(self, rngs, *args, method=None, **kwargs):
        if method is not None:
            return unknown("parameters")
        self(*args, **kwargs)
        return unknown("parameters")

    def apply(self, variables, *args, method=None, rngs=None, mutable=False, **kwargs):
        if method is not None or (mutable is not False):
            return unknown("the result of another method")
        return self(*args, **kwargs)

    def bind(self, variables, *args, **kwargs):
        return unknown("a bound module")

    def param(self, name, init_fn, *args, **kwargs):
        if len(args) > 0 and isinstance(args[0], (tuple, list)) and not is_unknown(args[0]) and has_rank(args[0]):
            return array(Array, tuple(args[0]), unknown("the dtype of a parameter"))
        return unknown("a parameter")

    def __getattr__(self, name):
        return unknown("a part of a module that is not modelled")


class Dense:
    def __init__(self, features=None, use_bias=True, *args, **options):
        self.features = features

    def __call__(self, inputs):
        if not is_array(inputs) or not has_rank(shape_of(inputs)) or is_unknown(self.features) or self.features is None:
            return unknown("Dense of an unknown value")
        if len(shape_of(inputs)) == 0:
            return unknown("Dense of a scalar")
        return array(Array, shape_of(inputs)[:-1] + (self.features,), "float32")


class Embed:
    def __init__(self, num_embeddings=None, features=None, *args, **options):
        self.num_embeddings = num_embeddings
        self.features = features

    def __call__(self, inputs):
        if not is_array(inputs) or not has_rank(shape_of(inputs)) or is_unknown(self.features) or self.features is None:
            return unknown("Embed of an unknown value")
        return array(Array, shape_of(inputs) + (self.features,), "float32")


class Same:
    def __init__(self, *args, **options):
        pass

    def __call__(self, x, *args, **options):
        return array(Array, shape_of(x), dtype_of(x)) if is_array(x) else unknown("a layer on an unknown value")


class Dropout(Same):
    pass


class LayerNorm(Same):
    pass


class BatchNorm(Same):
    pass


class GroupNorm(Same):
    pass


class RMSNorm(Same):
    pass


class Conv:
    """Images (batch, …, channels); the padding is SAME unless another one is given."""

    def __init__(self, features=None, kernel_size=None, strides=1, padding="SAME", *args, **options):
        self.features = features
        self.kernel_size = kernel_size
        self.strides = strides
        self.padding = padding
        self._pytrope_plain = len(args) == 0 and len(options) == 0

    def __call__(self, inputs):
        kernel = self.kernel_size
        if (
            not is_array(inputs)
            or not has_rank(shape_of(inputs))
            or not self._pytrope_plain
            or is_unknown(self.features)
        ):
            return unknown("a convolution of an unknown value")
        if not isinstance(kernel, (tuple, list)) or not has_rank(kernel) or not isinstance(self.padding, str):
            return unknown("a convolution with unsupported arguments")
        shape = shape_of(inputs)
        axes = len(kernel)
        if len(shape) != axes + 2 or self.features is None:
            return unknown("a convolution of another rank")
        if self.strides is None:
            strides = (1,) * axes
        else:
            strides = (self.strides,) * axes if isinstance(self.strides, int) else self.strides
        if is_unknown(strides) or not is_constant(tuple(strides)) or len(strides) != axes:
            return unknown("a convolution with unsupported arguments")
        sizes = []
        for at in range(axes):
            if self.padding == "SAME":
                sizes.append((shape[1 + at] + strides[at] - 1) // strides[at])
            elif self.padding == "VALID":
                sizes.append((shape[1 + at] - kernel[at]) // strides[at] + 1)
            else:
                return unknown("another padding")
        return array(Array, (shape[0],) + tuple(sizes) + (self.features,), "float32")


def pooled(inputs, window_shape, strides=None, padding="VALID", *args, **options):
    if not is_array(inputs) or not has_rank(shape_of(inputs)) or is_unknown(window_shape):
        return unknown("pooling of an unknown value")
    if (
        not isinstance(window_shape, (tuple, list))
        or not is_constant(tuple(window_shape))
        or not isinstance(padding, str)
    ):
        return unknown("pooling with unsupported arguments")
    shape = shape_of(inputs)
    axes = len(window_shape)
    steps = (1,) * axes if strides is None else strides
    if len(shape) != axes + 2 or not is_constant(tuple(steps)) or len(steps) != axes:
        return unknown("pooling of another rank")
    sizes = []
    for at in range(axes):
        if padding == "SAME":
            sizes.append((shape[1 + at] + steps[at] - 1) // steps[at])
        elif padding == "VALID":
            sizes.append((shape[1 + at] - window_shape[at]) // steps[at] + 1)
        else:
            return unknown("another padding")
    return array(Array, (shape[0],) + tuple(sizes) + (shape[-1],), dtype_of(inputs))


max_pool = avg_pool = pooled


def __getattr__(name):
    return unknown(name)
