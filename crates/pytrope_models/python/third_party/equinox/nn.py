"""equinox.nn: layers of single samples."""

from _pytrope import has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from jax._array import new_array


class Linear:
    def __init__(self, in_features, out_features, use_bias=True, dtype=None, *, key=None):
        self.in_features = in_features
        self.out_features = out_features
        self.use_bias = use_bias
        self.weight = unknown("weights")
        self.bias = unknown("weights")

    def __call__(self, x, *, key=None):
        if (
            not is_array(x)
            or not has_rank(shape_of(x))
            or is_unknown(self.in_features)
            or is_unknown(self.out_features)
        ):
            return unknown("a layer on an unknown value")
        if isinstance(self.in_features, str) or isinstance(self.out_features, str) or len(shape_of(x)) == 0:
            return unknown("a layer on a scalar")
        # The weights are on the left, so that they meet the last axis but one of a matrix.
        place = 0 if len(shape_of(x)) == 1 else len(shape_of(x)) - 2
        if is_constant(shape_of(x)[place]) and is_constant(self.in_features):
            require(
                shape_of(x)[place] == self.in_features,
                TypeError,
                f"Linear takes one sample of {self.in_features} features, but the input has shape {shape_of(x)}",
                rule="layer-mismatch",
                help="jax.vmap(layer) takes a batch" if len(shape_of(x)) == 2 else None,
            )
        if len(shape_of(x)) != 1:
            return unknown("a layer on a batch")
        return new_array((self.out_features,), "float32")


class MLP(Linear):
    def __init__(self, in_size, out_size, width_size, depth, *args, key=None, **options):
        self.in_features = in_size
        self.out_features = out_size
        self.layers = unknown("layers")


class Identity:
    def __init__(self, *args, **options):
        pass

    def __call__(self, x, *, key=None):
        return x


class Dropout(Identity):
    pass


def __getattr__(name):
    return unknown(name)
