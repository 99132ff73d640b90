"""Recurrent layers and cells."""

from _pytrope import (
    assume_rank,
    dtype_of,
    is_unknown,
    learn_last_sizes,
    lifted,
    proved,
    relate_rank,
    require,
    set_attrs,
    shape_of,
    share_rank,
    unknown,
)

from .. import _dtypes
from .._make import asked_arg, is_tensor, known_suffix, ranked, shown, tensor, tensor_arg, trailing, unranked
from ._module import Module
from .parameter import parameter
from .._versions import IS_NEW, IS_OLD, by_release


class RNNBase(Module):
    gates = 1
    has_cell = False

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
        nonlinearity="tanh",
    ):
        super().__init__()
        set_attrs(
            self,
            input_size=input_size,
            hidden_size=hidden_size,
            num_layers=num_layers,
            bias=bias,
            batch_first=batch_first,
            dropout=dropout,
            bidirectional=bidirectional,
            proj_size=proj_size,
        )
        if not is_unknown(proj_size) and not is_unknown(hidden_size):
            require(proj_size == 0 or proj_size < hidden_size, ValueError, "proj_size must be smaller than hidden_size")
        if IS_NEW and not is_unknown(hidden_size):
            require(hidden_size > 0, ValueError, f"hidden_size must be positive, not {hidden_size}")
        directions = 2 if bidirectional else 1
        out = self.out_size()
        for layer in range(num_layers):
            for direction in range(directions):
                suffix = str(layer) + ("_reverse" if direction == 1 else "")
                size = input_size if layer == 0 else out * directions
                setattr(self, "weight_ih_l" + suffix, parameter((self.gates * hidden_size, size), dtype, device))
                setattr(self, "weight_hh_l" + suffix, parameter((self.gates * hidden_size, out), dtype, device))
                if bias:
                    setattr(self, "bias_ih_l" + suffix, parameter((self.gates * hidden_size,), dtype, device))
                    setattr(self, "bias_hh_l" + suffix, parameter((self.gates * hidden_size,), dtype, device))
                if proj_size:
                    setattr(self, "weight_hr_l" + suffix, parameter((proj_size, hidden_size), dtype, device))

    def out_size(self):
        return self.proj_size if self.proj_size else self.hidden_size

    def flatten_parameters(self):
        return None

    def forward(self, input, hx=None):
        from .utils.rnn import PackedSequence

        if not is_unknown(input) and isinstance(input, PackedSequence):
            return self.forward_packed(input, hx)
        return self.forward_padded(input, hx)

    def forward_packed(self, input, hx):
        """Sequences of different lengths: the steps of all of them, and a state for each."""
        name = type(self).__name__
        data, batch = input.data, input._batch
        if is_unknown(data) or is_unknown(batch) or is_unknown(self.bidirectional) or not ranked(data):
            return unknown("a recurrent layer over packed sequences")
        shape = shape_of(data)
        self.check_dtype(data, name)
        require(
            shape[-1] == self.input_size,
            RuntimeError,
            f"{name} expects {self.input_size} features, but the packed sequences have {shape[-1]}",
            rule="layer-mismatch",
        )
        directions = 2 if self.bidirectional else 1
        state = (self.num_layers * directions, batch)
        self.check_state(hx, state, name, True)
        steps = tensor((shape[0], directions * self.out_size()), dtype_of(data))
        output = type(input)(steps, batch=batch)
        hidden = tensor(state + (self.out_size(),), dtype_of(data))
        if self.has_cell:
            return (output, (hidden, tensor(state + (self.hidden_size,), dtype_of(data))))
        return (output, hidden)

    @lifted(asked_arg, "input")
    def forward_padded(self, input, hx):
        name = type(self).__name__
        assume_rank(input, 3)
        if is_unknown(self.bidirectional) or is_unknown(self.batch_first):
            return (
                unranked("float32"),
                (unranked("float32"), unranked("float32")) if self.has_cell else unranked("float32"),
            )
        if not ranked(input):
            return self.forward_unranked(input, name)
        shape = shape_of(input)
        if len(shape) == 0 and IS_OLD:
            return unknown("a scalar, which 1.13 indexes first")
        require(
            len(shape) == 2 or len(shape) == 3,
            by_release(RuntimeError, ValueError),
            f"{name} takes rank 3, or 2 without a batch, but this tensor has shape {shape}",
            rule="layer-mismatch",
        )
        batched = len(shape) == 3
        self.check_state_ranks(hx, len(shape), name)
        self.check_dtype(input, name)
        require(
            shape[-1] == self.input_size,
            RuntimeError,
            f"{name} expects {self.input_size} features, but the input of shape {shape} has {shape[-1]}",
            rule="layer-mismatch",
        )
        directions = 2 if self.bidirectional else 1
        batch = () if not batched else (shape[0] if self.batch_first else shape[1],)
        steps = shape[1] if batched and self.batch_first else shape[0]
        require(
            steps >= 1,
            RuntimeError,
            f"{name} needs at least one step, but the input has shape {shape}",
            rule="layer-mismatch",
        )
        state = (self.num_layers * directions,) + batch
        self.check_state(hx, state, name, batched)
        output = tensor(shape[:-1] + (directions * self.out_size(),), dtype_of(input))
        hidden = tensor(state + (self.out_size(),), dtype_of(input))
        if self.has_cell:
            return (output, (hidden, tensor(state + (self.hidden_size,), dtype_of(input))))
        return (output, hidden)

    def forward_unranked(self, input, name):
        """Steps with or without a batch: the last sizes are known, and results have the rank of the input."""
        known = known_suffix(input)
        if len(known) >= 1:
            require(
                known[-1] == self.input_size,
                RuntimeError,
                f"{name} expects {self.input_size} features, but the input of shape {shown(input)} has {known[-1]}",
                rule="layer-mismatch",
            )
        else:
            learn_last_sizes(input, (self.input_size,))
        directions = 2 if self.bidirectional else 1
        output = share_rank(trailing((directions * self.out_size(),), dtype_of(input)), input)
        hidden = relate_rank(trailing((self.out_size(),), dtype_of(input)), input)
        if self.has_cell:
            return (output, (hidden, relate_rank(trailing((self.hidden_size,), dtype_of(input)), input)))
        return (output, hidden)

    def check_state_ranks(self, hx, rank, name):
        """A state has the rank of the input; this is asked before everything else about it."""
        if hx is None or is_unknown(hx):
            return
        states = [hx]
        if self.has_cell:
            states = list(hx) if isinstance(hx, (tuple, list)) and len(hx) == 2 else []
        for state in states:
            if not is_unknown(state) and is_tensor(state) and ranked(state):
                require(
                    len(shape_of(state)) == rank,
                    RuntimeError,
                    f"{name} of an input of rank {rank} takes a state of rank {rank}, not shape {shape_of(state)}",
                    rule="layer-mismatch",
                )

    def check_dtype(self, input, name):
        """Weights and input have one element type; mixed precision casts no float64."""
        if "weight_ih_l0" not in self._parameters:
            return
        own, given = dtype_of(self._parameters["weight_ih_l0"]), dtype_of(input)
        if is_unknown(own) or is_unknown(given):
            return
        require(
            _dtypes.may_meet(own, given),
            by_release(RuntimeError, ValueError),
            f"{name} has {own} weights, but the input is {given}",
            rule="layer-mismatch",
        )

    def check_state(self, hx, state, name, batched):
        if hx is None or is_unknown(hx):
            return
        if self.has_cell:
            if isinstance(hx, (tuple, list)) and len(hx) < 2:
                raise IndexError(f"{name} takes a pair of states, not {len(hx)}")
            if is_tensor(hx) and ranked(hx) and len(shape_of(hx)) > 0 and proved(shape_of(hx)[0] == 1):
                raise IndexError(f"{name} takes a pair of states, not one of shape {shape_of(hx)}")
            if not isinstance(hx, (tuple, list)) or len(hx) != 2:
                return
            hidden, cell = hx
            self.fits(hidden, state + (self.out_size(),), name, batched)
            self.fits(cell, state + (self.hidden_size,), name, batched)
        else:
            self.fits(hx, state + (self.hidden_size,), name, batched)

    @lifted(tensor_arg, "hx")
    def fits(self, hx, expected, name, batched):
        if not ranked(hx):
            return
        shape = shape_of(hx)
        message = f"{name} expects a state of shape {expected}, not {shape}"
        require(len(shape) == len(expected), RuntimeError, message, rule="layer-mismatch")
        for k in range(len(expected)):
            require(shape[k] == expected[k], RuntimeError, message, rule="layer-mismatch")
        if "weight_ih_l0" in self._parameters:
            own, given = dtype_of(self._parameters["weight_ih_l0"]), dtype_of(hx)
            if not is_unknown(own) and not is_unknown(given):
                message = f"{name} has {own} weights, but its state is {given}"
                require(_dtypes.may_meet(own, given), RuntimeError, message, rule="layer-mismatch")


class RNN(RNNBase):
    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        nonlinearity="tanh",
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        device=None,
        dtype=None,
    ):
        require(nonlinearity in ("tanh", "relu"), ValueError, f"{nonlinearity!r} is not a nonlinearity")
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, dtype=dtype)


class GRU(RNNBase):
    gates = 3

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        device=None,
        dtype=None,
    ):
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, dtype=dtype)


class LSTM(RNNBase):
    gates = 4
    has_cell = True


class RNNCellBase(Module):
    gates = 1
    has_cell = False

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None, nonlinearity="tanh"):
        super().__init__()
        set_attrs(self, input_size=input_size, hidden_size=hidden_size)
        set_attrs(
            self,
            "_parameters",
            weight_ih=parameter((self.gates * hidden_size, input_size), dtype, device),
            weight_hh=parameter((self.gates * hidden_size, hidden_size), dtype, device),
        )
        if bias:
            self.bias_ih = parameter((self.gates * hidden_size,), dtype, device)
            self.bias_hh = parameter((self.gates * hidden_size,), dtype, device)

    @lifted(asked_arg, "input")
    def forward(self, input, hx=None):
        name = type(self).__name__
        if not ranked(input):
            return (unranked("float32"), unranked("float32")) if self.has_cell else unranked("float32")
        shape = shape_of(input)
        require(
            len(shape) == 1 or len(shape) == 2,
            by_release(AssertionError, ValueError),
            f"{name} takes rank 2, or 1 without a batch, but this tensor has shape {shape}",
            rule="layer-mismatch",
        )
        require(
            shape[-1] == self.input_size,
            RuntimeError,
            f"{name} expects {self.input_size} features, but the input of shape {shape} has {shape[-1]}",
            rule="layer-mismatch",
        )
        state = shape[:-1] + (self.hidden_size,)
        if hx is not None and not is_unknown(hx):
            for h in hx if self.has_cell else (hx,):
                self.fits(tensor_arg(h), state, name)
        if self.has_cell:
            return (tensor(state, dtype_of(input)), tensor(state, dtype_of(input)))
        return tensor(state, dtype_of(input))

    def fits(self, h, state, name):
        if not ranked(h) or len(shape_of(h)) != len(state) and not (IS_NEW and 1 <= len(shape_of(h)) <= 2):
            return
        message = f"{name} expects a state of shape {state}, not {shape_of(h)}"
        require(len(shape_of(h)) == len(state), RuntimeError, message, rule="layer-mismatch")
        for k in range(len(state)):
            require(
                shape_of(h)[k] == state[k],
                RuntimeError,
                f"{name} expects a state of shape {state}, not {shape_of(h)}",
                rule="layer-mismatch",
            )


class RNNCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, dtype=dtype)


class GRUCell(RNNCellBase):
    gates = 3


class LSTMCell(RNNCellBase):
    gates = 4
    has_cell = True
