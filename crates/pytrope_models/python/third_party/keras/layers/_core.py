"""Dense, embeddings, and layers that keep or rearrange their input."""

from _pytrope import fresh, has_rank, is_array, is_constant, is_unknown, product, require, shape_of, unknown

from keras._base import (
    Layer,
    activated,
    alone,
    at_least,
    batched,
    of_rank,
    result,
    same_features,
    single,
    with_bias,
)
from tensorflow._make import shown, all_constant, opened, symbolic


def Input(shape=None, batch_size=None, name=None, dtype=None, *args, batch_shape=None, tensor=None, **options):
    """A symbolic tensor that data will stand for."""
    from tensorflow._dtypes import written

    if tensor is not None or options.get("sparse") or options.get("ragged"):
        return unknown("an input of an unsupported type")
    if batch_shape is not None:
        sizes = opened(batch_shape)
    elif shape is None or is_unknown(batch_size):
        return unknown("an input of unknown shape")
    else:
        sizes = batched(shape, batch_size)
    if is_unknown(sizes):
        return unknown("an input of unknown shape")
    made = symbolic(sizes, written(dtype, "float32"))
    made._is_input = True
    made._input_name = name
    return made


class InputLayer(Layer):
    def _pytrope_sizes(self):
        return []

    def __init__(self, input_shape=None, batch_size=None, *args, shape=None, batch_shape=None, **options):
        given = shape if shape is not None else input_shape
        if batch_shape is not None:
            self._pytrope_start = opened(batch_shape)
        elif given is not None:
            self._pytrope_start = batched(given, batch_size)

    def call(self, inputs, training=None, mask=None):
        return inputs


class Dense(Layer):
    def __init__(self, units, activation=None, use_bias=True, *args, **kwargs):
        super().__init__(**kwargs)
        if is_constant(units) and isinstance(units, int):
            require(units > 0, ValueError, f"units must be a positive integer, not {units}")
        self.units = units
        self.activation = activation
        self.use_bias = use_bias
        self._pytrope_features = unknown("not built")

    def call(self, inputs, training=None, mask=None):
        x = alone(inputs, "Dense")
        if is_unknown(x):
            return unknown("Dense of an unknown input")
        at_least(x, 2, "Dense")
        shape = shape_of(x)
        same_features(self, shape[-1], x, "Dense")
        units = fresh("units") if is_unknown(self.units) else self.units
        return activated(result(x, shape[:-1] + (units,), "float32"), self.activation)

    def build(self, input_shape):
        if isinstance(input_shape, (tuple, list)) and has_rank(input_shape) and len(input_shape) > 0:
            if is_constant(input_shape[-1]) and isinstance(input_shape[-1], int):
                self._pytrope_features = input_shape[-1]

    def _pytrope_sizes(self):
        return with_bias([(self._pytrope_features, self.units)], (self.units,), self.use_bias)


class Opaque(Layer):
    """A layer whose weights are not followed."""

    def _pytrope_sizes(self):
        return unknown("the weights of a layer")


class EinsumDense(Opaque):
    def call(self, inputs, training=None, mask=None):
        return unknown("EinsumDense")


class Embedding(Layer):
    def __init__(self, input_dim, output_dim, *args, input_length=None, mask_zero=False, **kwargs):
        super().__init__(**kwargs)
        self.input_dim = input_dim
        self.output_dim = output_dim
        if input_length is not None and isinstance(input_length, int):
            self._pytrope_start = batched((input_length,))

    def call(self, inputs, training=None, mask=None):
        x = single(inputs, "Embedding")
        if is_unknown(x):
            return unknown("Embedding of an unknown input")
        shape = shape_of(x)
        if len(shape) > 2 and is_constant(shape[-1]) and shape[-1] == 1:
            return unknown("Embedding of indices that may lose their last axis")
        size = fresh("features") if is_unknown(self.output_dim) else self.output_dim
        return result(x, shape_of(x) + (size,), "float32")

    def _pytrope_sizes(self):
        return with_bias([(self.input_dim, self.output_dim)], (), False)


class Weightless(Layer):
    """A layer without weights."""

    def _pytrope_sizes(self):
        return []


class Same(Weightless):
    """A layer that keeps the shape of whatever it is given."""

    def call(self, inputs, training=None, mask=None):
        x = single(inputs, "a layer")
        if is_unknown(x):
            return unknown("a layer on an unknown input")
        return result(x, shape_of(x))


class Activation(Same):
    def __init__(self, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.activation = activation

    def call(self, inputs, training=None, mask=None):
        return activated(super().call(inputs), self.activation)


class Flatten(Weightless):
    def __init__(self, data_format=None, **kwargs):
        super().__init__(**kwargs)

    def call(self, inputs, training=None, mask=None):
        x = alone(inputs, "Flatten")
        if is_unknown(x):
            return unknown("Flatten of an unknown input")
        shape = shape_of(x)
        if len(shape) == 0:
            return unknown("Flatten of a scalar")
        if len(shape) == 1:
            return result(x, (shape[0], 1))
        rest = product(shape[1:]) if all_constant(shape[1:]) else fresh("features")
        return result(x, (shape[0], rest))


class Reshape(Weightless):
    def __init__(self, target_shape, **kwargs):
        super().__init__(**kwargs)
        self.target_shape = target_shape

    def call(self, inputs, training=None, mask=None):
        x = single(inputs, "Reshape")
        wanted = opened(self.target_shape)
        if is_unknown(x) or is_unknown(wanted) or len(shape_of(x)) == 0:
            return unknown("Reshape of an unknown input")
        shape = shape_of(x)
        if not all_constant(wanted):
            return result(x, (shape[0],) + wanted)
        known = 1
        open_places = 0
        for size in wanted:
            if size == -1:
                open_places += 1
            else:
                known = known * size
        if not all_constant(shape[1:]) or open_places > 1:
            sizes = [fresh("size") if size == -1 else size for size in wanted]
            return result(x, (shape[0],) + tuple(sizes))
        total = product(shape[1:])
        message = f"{total} elements of a sample of shape {shown(shape[1:])} cannot be arranged as {shown(wanted)}"
        if open_places == 0:
            require(total == known, ValueError, message, rule="reshape-mismatch")
            return result(x, (shape[0],) + wanted)
        if known == 0:
            return unknown("Reshape to nothing")
        require(total % known == 0, ValueError, message, rule="reshape-mismatch")
        return result(x, (shape[0],) + tuple([total // known if size == -1 else size for size in wanted]))


class Permute(Weightless):
    def __init__(self, dims, **kwargs):
        super().__init__(**kwargs)
        self.dims = dims

    def call(self, inputs, training=None, mask=None):
        x = single(inputs, "Permute")
        if is_unknown(x) or not is_constant(self.dims) or not isinstance(self.dims, (tuple, list)):
            return unknown("Permute of an unknown input")
        of_rank(x, len(self.dims) + 1, "Permute")
        shape = shape_of(x)
        for place in self.dims:
            if not isinstance(place, int):
                return unknown("Permute by other places")
            require(
                1 <= place and place < len(shape),
                ValueError,
                f"Permute by {self.dims} does not fit an input of shape {shown(shape)}",
                rule="axis-out-of-range",
            )
        return result(x, (shape[0],) + tuple([shape[place] for place in self.dims]))


class RepeatVector(Weightless):
    def __init__(self, n, **kwargs):
        super().__init__(**kwargs)
        self.n = n

    def call(self, inputs, training=None, mask=None):
        x = single(inputs, "RepeatVector")
        if is_unknown(x) or is_unknown(self.n):
            return unknown("RepeatVector of an unknown input")
        of_rank(x, 2, "RepeatVector")
        shape = shape_of(x)
        return result(x, (shape[0], self.n, shape[1]))


class Lambda(Weightless):
    """What the function does is not followed: it runs in ways of its own."""

    def __init__(self, function, *args, **kwargs):
        super().__init__(**kwargs)

    def call(self, inputs, training=None, mask=None):
        return unknown("the result of a Lambda layer")


class Masking(Same):
    def __init__(self, mask_value=0.0, **kwargs):
        super().__init__(**kwargs)


class Dropout(Same):
    def __init__(self, rate, noise_shape=None, seed=None, **kwargs):
        super().__init__(**kwargs)
        if is_constant(rate) and isinstance(rate, (int, float)):
            require(0 <= rate and rate <= 1, ValueError, f"the rate of Dropout must be between 0 and 1, not {rate}")


class AlphaDropout(Same):
    def __init__(self, rate, *args, **kwargs):
        super().__init__(**kwargs)


class GaussianDropout(AlphaDropout):
    pass


class GaussianNoise(AlphaDropout):
    pass


class SpatialDropout(Same):
    _pytrope_rank = 3

    def __init__(self, rate, *args, **kwargs):
        super().__init__(**kwargs)

    def call(self, inputs, training=None, mask=None):
        x = single(inputs, "SpatialDropout")
        if is_unknown(x):
            return unknown("a layer on an unknown input")
        of_rank(x, self._pytrope_rank, "SpatialDropout")
        return result(x, shape_of(x))


class SpatialDropout1D(SpatialDropout):
    pass


class SpatialDropout2D(SpatialDropout):
    _pytrope_rank = 4


class SpatialDropout3D(SpatialDropout):
    _pytrope_rank = 5


class ReLU(Same):
    pass


class LeakyReLU(Same):
    pass


class PReLU(Same):
    def __init__(self, *args, shared_axes=None, **kwargs):
        super().__init__(**kwargs)
        self.shared_axes = shared_axes

    def _pytrope_sizes(self):
        given = self._pytrope_given
        if given is None or not isinstance(given, tuple) or not is_constant(self.shared_axes):
            return unknown("the slopes of PReLU")
        shared = self.shared_axes
        axes = [] if shared is None else [shared] if isinstance(shared, int) else list(shared)
        slopes = tuple([1 if at in axes else given[at] for at in range(1, len(given))])
        return with_bias([slopes], (), False)


class ELU(Same):
    pass


class ThresholdedReLU(Same):
    pass


class Softmax(Same):
    pass


class ActivityRegularization(Same):
    pass


class Identity(Same):
    pass


class _Normalizing(Same):
    """Scales and shifts along one axis, or along several together."""

    def __init__(self, axis=-1, *args, center=True, scale=True, **kwargs):
        super().__init__(**kwargs)
        self.axis = axis
        self.center = center
        self.scale = scale

    def _pytrope_affine(self):
        """The shapes of the factors and of the offsets; Unknown where one of them is."""
        given = self._pytrope_given
        if given is None or not isinstance(given, tuple) or not is_constant((self.axis, self.center, self.scale)):
            return unknown("the weights of a normalization")
        axes = [self.axis] if isinstance(self.axis, int) else list(self.axis)
        for axis in axes:
            if axis < -len(given) or axis >= len(given):
                return unknown("the weights of a normalization")
        size = tuple([given[axis] for axis in axes])
        return with_bias([size] if self.scale else [], size, self.center)


class BatchNormalization(_Normalizing):
    def __init__(self, axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True, *args, **kwargs):
        super().__init__(axis, center=center, scale=scale, **kwargs)
        self._pytrope_features = unknown("not built")

    def call(self, inputs, training=None, mask=None):
        x = single(inputs, "BatchNormalization")
        if is_unknown(x):
            return unknown("a layer on an unknown input")
        if self.axis == -1 and len(shape_of(x)) > 0:
            same_features(self, shape_of(x)[-1], x, "BatchNormalization")
        return result(x, shape_of(x))

    def _pytrope_sizes(self):
        trained = self._pytrope_affine()
        if is_unknown(trained) or not isinstance(self.axis, int):
            return unknown("the weights of a normalization")
        size = self._pytrope_given[self.axis]
        return with_bias(trained + [(size,)], (size,), True)

    def _pytrope_fixed(self):
        return 2


class LayerNormalization(_Normalizing):
    def __init__(self, axis=-1, epsilon=0.001, center=True, scale=True, *args, rms_scaling=False, **kwargs):
        super().__init__(axis, center=center, scale=scale, **kwargs)
        self._pytrope_rms = rms_scaling

    def _pytrope_sizes(self):
        return self._pytrope_affine() if self._pytrope_rms is False else unknown("the weights of a normalization")


class GroupNormalization(_Normalizing):
    def __init__(self, groups=32, axis=-1, epsilon=0.001, center=True, scale=True, *args, **kwargs):
        super().__init__(axis, center=center, scale=scale, **kwargs)

    def _pytrope_sizes(self):
        return self._pytrope_affine()


class UnitNormalization(Same):
    pass


class SpectralNormalization(Opaque):
    def call(self, inputs, training=None, mask=None):
        return unknown("a normalised layer")
