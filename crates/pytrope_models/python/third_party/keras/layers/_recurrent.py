"""Recurrent layers and their wrappers."""

from _pytrope import fresh, is_array, is_constant, is_unknown, require, shape_of, unknown

from keras._base import Layer, of_rank, result, same_features, single, with_bias
from tensorflow._make import shown, is_symbolic, ranked

from ._core import Opaque


class _Recurrent(Layer):
    _pytrope_states = 1
    _pytrope_gates = 1

    def __init__(self, units, *args, return_sequences=False, return_state=False, use_bias=True, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.use_bias = use_bias
        self.return_sequences = return_sequences
        self.return_state = return_state
        self._pytrope_features = unknown("not built")

    def call(self, inputs, *args, initial_state=None, training=None, mask=None):
        x = inputs
        if isinstance(inputs, list) and len(inputs) > 0:
            # Keras takes the states behind the sequence, too.
            x = inputs[0]
        if not is_array(x) or not ranked(x) or is_unknown(self.units):
            return unknown("a recurrent layer on an unknown input")
        of_rank(x, 3, f"{type(self).__name__}")
        shape = shape_of(x)
        if not is_symbolic(x):
            # Keras 3 does not look at the features of a symbolic input.
            same_features(self, shape[2], x, f"{type(self).__name__}")
        elif is_constant(shape[2]) and is_unknown(self._pytrope_features):
            self._pytrope_features = shape[2]
        if not is_constant(self.return_sequences) or not is_constant(self.return_state):
            return unknown("a recurrent layer that may give sequences")
        out = result(
            x, (shape[0], shape[1], self.units) if self.return_sequences else (shape[0], self.units), "float32"
        )
        if not self.return_state:
            return out
        states = [result(x, (shape[0], self.units), "float32") for _ in range(self._pytrope_states)]
        return [out] + states

    def _pytrope_sizes(self):
        if not is_constant(self.units):
            return unknown("the weights of a recurrent layer")
        wide = self._pytrope_gates * self.units
        return with_bias([(self._pytrope_features, wide), (self.units, wide)], self._pytrope_bias(wide), self.use_bias)

    def _pytrope_bias(self, wide):
        return (wide,)


class LSTM(_Recurrent):
    _pytrope_states = 2
    _pytrope_gates = 4


class GRU(_Recurrent):
    _pytrope_gates = 3

    def __init__(self, units, *args, reset_after=True, **kwargs):
        super().__init__(units, *args, **kwargs)
        self.reset_after = reset_after

    def _pytrope_bias(self, wide):
        """A bias of its own for the state, where the gate that resets it comes after the product."""
        if not is_constant(self.reset_after):
            return (unknown("a bias"),)
        return (2, wide) if self.reset_after else (wide,)


class SimpleRNN(_Recurrent):
    pass


class CuDNNLSTM(LSTM):
    def _pytrope_bias(self, wide):
        return (2 * wide,)


class CuDNNGRU(GRU):
    def _pytrope_bias(self, wide):
        return (2 * wide,)


class RNN(Opaque):
    """Cells of the program's own are not followed."""

    def __init__(self, cell, *args, **kwargs):
        super().__init__(**kwargs)

    def call(self, inputs, *args, **kwargs):
        return unknown("a recurrent layer with cells of its own")


class LSTMCell(Opaque):
    def __init__(self, units, *args, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def call(self, inputs, *args, **kwargs):
        return unknown("one step of a recurrent layer")


class GRUCell(LSTMCell):
    pass


class SimpleRNNCell(LSTMCell):
    pass


class ConvLSTM2D(Layer):
    def __init__(
        self,
        filters,
        kernel_size,
        strides=1,
        padding="valid",
        *args,
        return_sequences=False,
        return_state=False,
        use_bias=True,
        **kwargs,
    ):
        super().__init__(**kwargs)
        self.filters = filters
        self.use_bias = use_bias
        self._pytrope_inner = (kernel_size, strides, padding)
        self.return_sequences = return_sequences
        self.return_state = return_state

    def call(self, inputs, *args, **kwargs):
        from ._convolution import each, lowered, windows

        x = single(inputs, "ConvLSTM2D")
        if is_unknown(x) or is_unknown(self.filters) or self.return_state:
            return unknown("ConvLSTM2D of an unknown input")
        of_rank(x, 5, "ConvLSTM2D")
        kernel, stride, padding = (
            each(self._pytrope_inner[0], 2),
            each(self._pytrope_inner[1], 2),
            lowered(self._pytrope_inner[2]),
        )
        if kernel is None or stride is None or is_unknown(padding):
            return unknown("ConvLSTM2D with unknown arguments")
        shape = shape_of(x)
        sizes = [windows(x, shape[2 + at], kernel[at], stride[at], 1, padding, "ConvLSTM2D") for at in range(2)]
        time = (shape[1],) if self.return_sequences else ()
        return result(x, (shape[0],) + time + tuple(sizes) + (self.filters,), "float32")

    def _pytrope_sizes(self):
        from ._convolution import each

        kernel, given = each(self._pytrope_inner[0], 2), self._pytrope_given
        if kernel is None or not isinstance(given, tuple) or len(given) != 5 or not is_constant(self.filters):
            return unknown("the weights of ConvLSTM2D")
        wide = 4 * self.filters
        return with_bias([kernel + (given[4], wide), kernel + (self.filters, wide)], (wide,), self.use_bias)


class Wrapper(Layer):
    def __init__(self, layer, *args, **kwargs):
        super().__init__(**kwargs)
        self.layer = layer


class Bidirectional(Wrapper):
    def __init__(self, layer, merge_mode="concat", weights=None, backward_layer=None, **kwargs):
        super().__init__(layer, **kwargs)
        self.merge_mode = merge_mode
        self._pytrope_plain = backward_layer is None
        if isinstance(layer, Layer) and self._pytrope_start is None:
            self._pytrope_start = layer._pytrope_start

    def call(self, inputs, *args, **kwargs):
        if not isinstance(self.layer, _Recurrent) or not self._pytrope_plain or not is_constant(self.merge_mode):
            return unknown("a bidirectional layer that is not known")
        out = self.layer.call(inputs)
        states = []
        if isinstance(out, list):
            states = out[1:]
            out = out[0]
        if is_unknown(out) or not is_array(out):
            return unknown("a bidirectional layer on an unknown input")
        shape = shape_of(out)
        if self.merge_mode == "concat":
            merged = result(out, shape[:-1] + (2 * shape[-1],))
        elif self.merge_mode in ("sum", "mul", "ave"):
            merged = result(out, shape)
        else:
            return unknown("separate directions of a recurrent layer")
        return [merged] + states + states if len(states) > 0 else merged

    def _pytrope_sizes(self):
        sizes = self.layer._pytrope_sizes() if isinstance(self.layer, _Recurrent) else None
        if sizes is None or is_unknown(sizes) or not self._pytrope_plain:
            return unknown("the weights of both directions")
        return sizes + sizes


def inner_rank(layer):
    """The rank that a layer insists on; None where it takes several."""
    axes = getattr(layer, "_pytrope_axes", None)
    if not is_unknown(axes) and isinstance(axes, int):
        return axes + 2
    return 3 if isinstance(layer, _Recurrent) else None


class TimeDistributed(Wrapper):
    def call(self, inputs, *args, **kwargs):
        x = single(inputs, "TimeDistributed")
        if is_unknown(x) or not isinstance(self.layer, Layer):
            return unknown("TimeDistributed of an unknown input")
        shape = shape_of(x)
        require(
            len(shape) >= 3,
            ValueError,
            f"TimeDistributed takes rank 3 or more, but the input has shape {shown(shape)}",
            rule="layer-mismatch",
        )
        wanted = inner_rank(self.layer)
        if wanted is not None and wanted != len(shape) - 1:
            return unknown("a layer on samples of another rank, which may be reshaped")
        out = self.layer(result(x, (shape[0],) + shape[2:]))
        if not is_array(out) or not ranked(out) or len(shape_of(out)) == 0:
            return unknown("TimeDistributed of an unknown layer")
        return result(x, (shape[0], shape[1]) + shape_of(out)[1:])
