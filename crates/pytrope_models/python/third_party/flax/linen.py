"""flax.linen: modules are described first; `init` and `apply` run them on arrays.

Of parameters the sizes that layers had in `init` are kept, in the order of the layers' calls; `apply` with these
parameters calls the same layers in the same order. What an optimizer makes of parameters is unknown.
"""

from _pytrope import (
    dtype_of,
    has_rank,
    havoc,
    is_array,
    is_constant,
    is_unknown,
    require,
    set_attrs,
    set_setting,
    setting,
    shape_of,
    unknown,
)

from jax._array import new_array
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


class Variables(unknown("the class of parameters")):
    """What `init` gives, or the parameters in it: known by the sizes that the layers had."""

    def __init__(self, noted):
        self._noted = noted

    def __getitem__(self, key):
        return Variables(self._noted) if is_constant(key) and key == "params" else unknown("parameters")

    def __getattr__(self, name):
        return unknown("parameters")


class Wanted:
    """The sizes that layers had in `init`, taken one by one."""

    def __init__(self, noted):
        self.noted = noted
        self.taken = 0


def wanted_by(variables):
    """The sizes that go with parameters; None where they are not known."""
    if is_unknown(variables):
        return None
    if isinstance(variables, Variables):
        return Wanted(variables._noted) if is_constant(len(variables._noted)) else None
    if isinstance(variables, dict) and is_constant(len(variables)) and "params" in variables:
        return wanted_by(variables["params"])
    return None


def layer_size(kind, features, size):
    """A layer is called on inputs of this size: noted by `init`, compared by `apply`."""
    noted = setting("flax.noted", None)
    if noted is not None and not is_unknown(noted):
        noted.append((kind, features, size))
    wanted = setting("flax.wanted", None)
    if wanted is None or is_unknown(wanted) or not is_constant(wanted.taken):
        return
    place = wanted.taken
    wanted.taken = place + 1
    if place < len(wanted.noted):
        own = wanted.noted[place]
        if is_constant(own) and is_constant(size) and is_constant(features) and own[0] == kind and own[1] == features:
            require(
                own[2] == size,
                ScopeParamShapeError,
                f"the parameters of {kind} were made for {own[2]} features, but the input has {size}",
                rule="layer-mismatch",
            )
        else:
            # Other layers are called than before: nothing more is compared.
            wanted.taken = unknown("which layer is next")


class ScopeParamShapeError(Exception):
    """flax.errors.ScopeParamShapeError"""


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
        noted = []
        before = setting("flax.noted", None)
        set_setting("flax.noted", noted, None)
        try:
            self(*args, **kwargs)
        finally:
            set_setting("flax.noted", before, None)
        return Variables(noted)

    def apply(self, variables, *args, method=None, rngs=None, mutable=False, **kwargs):
        if method is not None or (mutable is not False):
            return unknown("the result of another method")
        before = setting("flax.wanted", None)
        set_setting("flax.wanted", wanted_by(variables), None)
        try:
            result = self(*args, **kwargs)
        finally:
            set_setting("flax.wanted", before, None)
        return result

    def bind(self, variables, *args, **kwargs):
        return unknown("a bound module")

    def param(self, name, init_fn, *args, **kwargs):
        if len(args) > 0 and isinstance(args[0], (tuple, list)) and not is_unknown(args[0]) and has_rank(args[0]):
            return new_array(tuple(args[0]), unknown("the dtype of a parameter"))
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
        layer_size("Dense", self.features, shape_of(inputs)[-1])
        return new_array(shape_of(inputs)[:-1] + (self.features,), "float32")


class Embed:
    def __init__(self, num_embeddings=None, features=None, *args, **options):
        self.num_embeddings = num_embeddings
        self.features = features

    def __call__(self, inputs):
        if not is_array(inputs) or not has_rank(shape_of(inputs)) or is_unknown(self.features) or self.features is None:
            return unknown("Embed of an unknown value")
        return new_array(shape_of(inputs) + (self.features,), "float32")


class Same:
    def __init__(self, *args, **options):
        pass

    def __call__(self, x, *args, **options):
        return new_array(shape_of(x), dtype_of(x)) if is_array(x) else unknown("a layer on an unknown value")


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
        layer_size("Conv", self.features, shape[-1])
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
                return unknown("an unsupported padding")
        return new_array((shape[0],) + tuple(sizes) + (self.features,), "float32")


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
            return unknown("an unsupported padding")
    return new_array((shape[0],) + tuple(sizes) + (shape[-1],), dtype_of(inputs))


max_pool = avg_pool = pooled


def __getattr__(name):
    return unknown(name)
