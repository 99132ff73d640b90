"""keras.models: Sequential, functional and subclassed models."""

from _pytrope import fresh, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from tensorflow._make import shown, is_symbolic, like, opened, ranked, symbolic

from ._base import Layer, linked, taken, weights_fit
from ._fitting import Trained
from .layers._core import InputLayer


class Model(Trained, Layer):
    _pytrope_inputs = None
    _pytrope_outputs = None

    def __init__(self, *args, inputs=None, outputs=None, **kwargs):
        self._pytrope_options(kwargs)
        given = list(args)
        if inputs is None and len(given) > 0:
            inputs = given[0]
        if outputs is None and len(given) > 1:
            outputs = given[1]
        if "input" in kwargs or "output" in kwargs:
            inputs = unknown("an old spelling")
            outputs = unknown("an old spelling")
        if inputs is not None and outputs is not None and not isinstance(inputs, str):
            connected(inputs, outputs)
            self._pytrope_inputs = inputs
            self._pytrope_outputs = outputs
            self.built = True

    @property
    def layers(self):
        chain = chained(self._pytrope_inputs, self._pytrope_outputs)
        return unknown("the layers of a model") if chain is None else chain

    @property
    def output_shape(self):
        return shape_with_none(self.output)

    @property
    def input_shape(self):
        return shape_with_none(self.input)

    @property
    def inputs(self):
        return unknown("the inputs of a model") if self._pytrope_inputs is None else listed(self._pytrope_inputs)

    @property
    def outputs(self):
        return unknown("the outputs of a model") if self._pytrope_outputs is None else listed(self._pytrope_outputs)

    @property
    def input(self):
        return unknown("the input of a model") if self._pytrope_inputs is None else self._pytrope_inputs

    @property
    def output(self):
        return unknown("the output of a model") if self._pytrope_outputs is None else self._pytrope_outputs

    def get_layer(self, name=None, index=None):
        known = self.layers
        if is_unknown(known) or not is_constant(name) or not is_constant(index):
            return unknown("a layer of a model")
        if name is None and isinstance(index, int) and -len(known) <= index and index < len(known):
            return known[index]
        for layer in known:
            if isinstance(name, str) and layer._pytrope_name == name:
                return layer
        return unknown("a layer of a model")

    def get_weights(self):
        known = self.layers
        return unknown("the weights of a model") if is_unknown(known) else weights_of(known)

    def set_weights(self, weights):
        weights_fit(self.get_weights(), weights, "the model")

    def _pytrope_makers(self):
        makers = []
        for output in listed(self.outputs):
            maker = getattr(output, "_maker", None)
            makers.append(None if maker is None or is_unknown(maker) else maker._pytrope_name)
        return makers

    def _pytrope_called(self, *args, **kwargs):
        if self._pytrope_outputs is None:
            return super()._pytrope_called(*args, **kwargs)
        if len(args) == 0:
            return unknown("a model called with keywords")
        made = self._pytrope_mapped(args[0])
        self._pytrope_made(made, args, kwargs)
        return made

    def call(self, inputs, training=None, mask=None):
        if self._pytrope_outputs is None:
            return unknown("a model without call()")
        return self._pytrope_mapped(inputs)

    def _pytrope_mapped(self, given):
        """The outputs of a graph for new inputs."""
        inputs = taken(given)
        wanted, outputs = self._pytrope_inputs, self._pytrope_outputs
        if is_unknown(inputs) or is_unknown(wanted) or is_unknown(outputs):
            return unknown("a model called on an unknown value")
        references = list(wanted.values()) if isinstance(wanted, dict) else listed(wanted)
        if not has_rank(references):
            return unknown("a model with unknown inputs")
        if isinstance(wanted, dict):
            parts = by_key(inputs, list(wanted.keys()))
        else:
            parts = by_name(inputs, references) if isinstance(inputs, dict) else listed(inputs)
        if is_unknown(parts):
            return unknown("a model with named inputs")
        require(
            len(parts) == len(references),
            ValueError,
            f"the model takes {len(references)} inputs, but this call gives {len(parts)}",
            rule="layer-mismatch",
        )
        for part, reference in zip(parts, references):
            fits(part, reference)
        if isinstance(outputs, dict):
            made = self._pytrope_results(list(outputs.values()), references, parts)
            return {name: made[at] for at, name in enumerate(outputs.keys())}
        made = self._pytrope_results(listed(outputs), references, parts)
        return made if isinstance(outputs, (list, tuple)) and len(made) > 1 else made[0]

    def _pytrope_results(self, outputs, references, parts):
        """The outputs for parts in place of the symbolic inputs."""
        return [placed(output, references, parts) for output in outputs]


def chained(inputs, outputs):
    """The layers of a model whose tensors form one chain, the input first; None for every other graph."""
    if not is_array(inputs) or not is_array(outputs) or not is_symbolic(inputs):
        return None
    layers = []
    x = outputs
    while x is not inputs and len(layers) < 300:
        if not is_array(x) or not is_symbolic(x):
            return None
        maker, parents = x._maker, x._parents
        if maker is None or is_unknown(maker) or parents is None or is_unknown(parents) or len(parents) != 1:
            return None
        layers.append(maker)
        x = parents[0]
    if x is not inputs or inputs._is_input is not True:
        return None
    first = InputLayer()
    first._pytrope_seen = inputs
    layers.append(first)
    return layers[::-1]


def shape_with_none(x):
    """A symbolic shape as Keras writes it, with None for the batch; Unknown where another size may be None."""
    if not is_array(x) or not ranked(x) or len(shape_of(x)) == 0:
        return unknown("the shape of a tensor of a model")
    sizes = shape_of(x)
    for size in sizes[1:]:
        if not is_constant(size):
            return unknown("the shape of a tensor of a model")
    return ((sizes[0] if is_constant(sizes[0]) else None),) + tuple(sizes[1:])


def weights_of(layers):
    """The weights of layers in their order; Unknown as soon as those of one are."""
    found = []
    for layer in layers:
        own = layer.get_weights() if isinstance(layer, Layer) else unknown("the weights of another object")
        if is_unknown(own) or not isinstance(own, list):
            return unknown("the weights of a model")
        found.extend(own)
    return found


def listed(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


def by_name(given, references):
    """The parts of a dictionary in the order of symbolic inputs; Unknown where a name is not known or not there."""
    parts = []
    for reference in references:
        name = reference._input_name if is_array(reference) and is_symbolic(reference) else None
        if not is_constant(name) or not isinstance(name, str) or name not in given:
            return unknown("inputs with unexpected names")
        parts.append(taken(given[name]))
    return parts


def by_key(given, names):
    """The parts of a dictionary in the order of the names of inputs; Unknown where one is not there."""
    if not isinstance(given, dict):
        return unknown("named inputs that are not given by name")
    parts = []
    for name in names:
        if not is_constant(name) or name not in given:
            return unknown("inputs with unexpected names")
        parts.append(taken(given[name]))
    return parts


def fits(part, reference):
    """An input of a graph has the rank and the known sizes of the symbolic one; an axis of size 1 at the end may be
    missing or too many."""
    if not is_array(part) or not is_array(reference) or not ranked(part) or not ranked(reference):
        return
    given, wanted = shape_of(part), shape_of(reference)
    if len(given) == len(wanted) + 1 and is_constant(given[-1]) and given[-1] == 1:
        given = given[:-1]
    elif len(given) == len(wanted) - 1 and is_constant(wanted[-1]) and wanted[-1] == 1:
        given = given + (1,)
    if len(given) != len(wanted) and is_symbolic(part):
        # Keras 2 warns, and a layer further on may take it.
        return
    message = f"the model takes inputs of shape {shown(wanted)}, but this one has shape {shown(shape_of(part))}"
    require(len(given) == len(wanted), ValueError, message, rule="layer-mismatch")
    for a, b in zip(given[1:], wanted[1:]):
        if is_constant(a) and is_constant(b):
            require(a == b, ValueError, message, rule="layer-mismatch")


def placed(output, references, parts):
    """An output with the batch of the inputs; other sizes that were symbols are not followed."""
    if not is_array(output) or not ranked(output):
        return unknown("an unknown output")
    shape = shape_of(output)
    sizes = [size if is_constant(size) else fresh("size") for size in shape]
    if len(shape) > 0 and is_array(parts[0]) and ranked(parts[0]) and len(shape_of(parts[0])) > 0:
        if not is_constant(shape[0]):
            sizes[0] = shape_of(parts[0])[0]
    from _pytrope import dtype_of

    made = like([part for part in parts if is_array(part)], tuple(sizes), dtype_of(output))
    made._squashed = output._squashed
    return made


def connected(inputs, outputs):
    """Every input that the outputs depend on is among the inputs of the model."""
    if is_unknown(inputs) or is_unknown(outputs) or isinstance(inputs, dict) or isinstance(outputs, dict):
        return
    borders = listed(inputs)
    if not has_rank(borders) or not has_rank(listed(outputs)):
        return
    for border in borders:
        if is_unknown(border) or not is_array(border):
            return
    seen = []
    waiting = list(listed(outputs))
    while len(waiting) > 0 and len(seen) < 300:
        x = waiting.pop()
        if is_unknown(x) or not is_array(x) or not is_symbolic(x):
            continue
        if one_of(x, borders) or one_of(x, seen):
            continue
        seen.append(x)
        if x._is_input is True:
            require(
                False,
                ValueError,
                f"an output depends on an input of shape {shown(shape_of(x))} that is not given to the model",
                rule="layer-mismatch",
            )
        parents = x._parents
        if parents is None or is_unknown(parents):
            return
        waiting.extend(parents)


def one_of(x, tensors):
    for one in tensors:
        if one is x:
            return True
    return False


class Sequential(Model):
    def __init__(self, layers=None, *args, **kwargs):
        self._pytrope_options(kwargs)
        self._pytrope_layers = []
        self._pytrope_tip = None
        self._pytrope_first = None
        if layers is None:
            return
        if is_unknown(layers) or not isinstance(layers, (list, tuple)) or not has_rank(layers):
            self._pytrope_layers = unknown("unknown layers")
            return
        for layer in layers:
            self.add(layer)

    @property
    def layers(self):
        return self._pytrope_layers

    @property
    def output(self):
        return unknown("the output of a model") if self._pytrope_tip is None else self._pytrope_tip

    @property
    def input(self):
        return unknown("the input of a model") if self._pytrope_first is None else self._pytrope_first

    @property
    def inputs(self):
        return unknown("the inputs of a model") if self._pytrope_first is None else [self._pytrope_first]

    @property
    def outputs(self):
        return unknown("the outputs of a model") if self._pytrope_tip is None else [self._pytrope_tip]

    def add(self, layer, rebuild=True):
        if is_unknown(self._pytrope_layers):
            return
        if is_unknown(layer):
            self._pytrope_layers = unknown("unknown layers")
            self._pytrope_tip = unknown("the output of an unknown layer")
            return
        first = len(self._pytrope_layers) == 0 and self._pytrope_tip is None
        if is_array(layer):
            if first and is_symbolic(layer):
                self._pytrope_tip = layer
                self._pytrope_first = layer
            else:
                self._pytrope_layers = unknown("unknown layers")
            return
        if not isinstance(layer, Layer):
            self._pytrope_layers = unknown("a value that may not be a layer")
            return
        self._pytrope_layers.append(layer)
        if first:
            start = starting(layer)
            if start is None or is_unknown(start):
                return
            self._pytrope_first = symbolic(start, "float32")
            self._pytrope_first._is_input = True
            self._pytrope_tip = self._pytrope_first
        if self._pytrope_tip is not None:
            # Nothing is known of a model to which a layer was added that does not fit.
            before, layers = self._pytrope_tip, self._pytrope_layers
            self._pytrope_tip = unknown("the output of a layer that does not fit")
            self._pytrope_layers = unknown("layers that do not fit")
            made = layer(before)
            self._pytrope_tip, self._pytrope_layers = made, layers

    def pop(self, rebuild=True):
        self._pytrope_layers = unknown("layers of which one was removed")
        self._pytrope_tip = unknown("the output of unknown layers")

    def build(self, input_shape=None):
        if is_unknown(self._pytrope_layers) or self._pytrope_tip is not None or input_shape is None:
            return
        sizes = opened(input_shape)
        if is_unknown(sizes):
            return
        x = symbolic(sizes, "float32")
        x._is_input = True
        self._pytrope_first = x
        for layer in self._pytrope_layers:
            x = layer(x)
        self._pytrope_tip = x

    def _pytrope_called(self, *args, **kwargs):
        if len(args) == 0:
            return unknown("a model called with keywords")
        made = self.call(args[0])
        if is_array(made) and made is not args[0] and made is not self._pytrope_first:
            linked(made, [args[0]])
            self._pytrope_made(made, args, kwargs)
        return made

    def call(self, inputs, training=None, mask=None):
        if is_unknown(self._pytrope_layers):
            return unknown("a model of unknown layers")
        x = taken(inputs)
        if is_unknown(x) or not is_array(x):
            return unknown("a model called on an unknown value")
        if self._pytrope_first is not None and is_array(self._pytrope_first):
            # What the first layer was told is not checked; each layer checks what it is given.
            wanted = shape_of(self._pytrope_first)
            if ranked(x) and len(shape_of(x)) == len(wanted) - 1 and is_one(wanted[-1]):
                x = like([x], shape_of(x) + (1,), "float32")
            elif ranked(x) and len(shape_of(x)) == len(wanted) + 1 and is_one(shape_of(x)[-1]):
                x = like([x], shape_of(x)[:-1], "float32")
        for layer in self._pytrope_layers:
            x = layer(x)
        return x


def is_one(size):
    return is_constant(size) and size == 1


def starting(layer):
    """The shape of the input that the first layer of a model says."""
    if isinstance(layer, Sequential):
        first = layer._pytrope_first
        return shape_of(first) if first is not None and is_array(first) else None
    if isinstance(layer, Model):
        wanted = layer._pytrope_inputs
        return shape_of(wanted) if wanted is not None and is_array(wanted) else None
    return layer._pytrope_start


Functional = Model


def load_model(filepath, *args, **kwargs):
    return unknown("a model from a file")


def clone_model(model, *args, **kwargs):
    return unknown("a copy of a model")


def model_from_json(*args, **kwargs):
    return unknown("a model from a description")
