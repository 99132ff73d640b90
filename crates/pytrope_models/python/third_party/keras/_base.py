"""keras.Layer: how layers are built and called, and what they check of their inputs.

Only sizes that are known can misfit: a batch, or any size given as None, is a symbol that is not compared.
"""

from _pytrope import (
    array,
    call_back,
    dtype_of,
    fresh,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    parameters_of,
    require,
    shape_of,
    unknown,
)

from tensorflow._make import shown, converted, is_symbolic, is_tensor, like, opened, ranked, symbolic, tensor
from tensorflow._tensor import TensorShape, variable


def batched(shape, batch=None):
    """The shape of a symbolic input: the batch, then the sizes of one sample."""
    sizes = opened((shape,) if isinstance(shape, int) else shape)
    if is_unknown(sizes):
        return unknown("an unknown shape")
    return ((fresh("batch") if batch is None else batch),) + sizes


class Layer:
    """Base of all layers."""

    built = False
    trainable = True
    supports_masking = False
    _pytrope_start = None
    # The name that the program gave, and the one symbolic tensor that the layer has made; Unknown after a second one.
    _pytrope_name = None
    _pytrope_seen = None
    # The shapes that the layer was called on first.
    _pytrope_given = None
    # The weights that `add_weight` has made: their shapes, and whether they are trained.
    _pytrope_added = ()
    # What `draw` knows of a layer: its number, that among the layers of its class, and the attribute that holds it.
    _pytrope_number = None
    _pytrope_index = None
    _pytrope_place = None
    # The number of weights, and of those that are not trained, of a network whose layers are not followed.
    _pytrope_counts = None

    def __init__(self, *args, **kwargs):
        self._pytrope_options(kwargs)

    def _pytrope_options(self, options):
        """What every layer takes: a name, and the shape of its input if it is the first one."""
        if is_unknown(options):
            return
        if "name" in options:
            self._pytrope_name = options["name"]
        if "input_shape" in options:
            self._pytrope_start = batched(options["input_shape"])
        elif "batch_input_shape" in options:
            self._pytrope_start = opened(options["batch_input_shape"])
        elif "input_dim" in options:
            self._pytrope_start = batched((options["input_dim"],))

    def __getattr__(self, name):
        seen = self._pytrope_seen
        if name == "output" and is_array(seen):
            return seen
        if name == "input" and is_array(seen) and len(listed_parents(seen)) == 1:
            return seen._parents[0]
        return unknown("a part of a layer that is not modelled")

    @property
    def name(self):
        return unknown("the name of a layer")

    @property
    def weights(self):
        return unknown("the weights of a layer")

    @property
    def trainable_weights(self):
        return unknown("the weights of a layer")

    @property
    def trainable_variables(self):
        return unknown("the weights of a layer")

    def add_weight(self, *args, shape=None, name=None, dtype=None, **options):
        """Keras 2 takes the name first, Keras 3 the shape."""
        if shape is None and len(args) > 0 and isinstance(args[0], (tuple, list)):
            shape = args[0]
        elif shape is None and len(args) > 1 and isinstance(args[1], (tuple, list)):
            shape = args[1]
        sizes = opened(shape)
        if is_unknown(sizes):
            self._pytrope_added = unknown("a weight of unknown shape")
            return unknown("a weight of unknown shape")
        if not is_unknown(self._pytrope_added):
            self._pytrope_added = self._pytrope_added + ((sizes, options.get("trainable", True)),)
        return variable(sizes, "float32" if dtype is None else unknown("the dtype of a weight"))

    def add_loss(self, losses, **options):
        return None

    def add_metric(self, value, *args, **options):
        return None

    def build(self, input_shape):
        return None

    def call(self, inputs, *args, **kwargs):
        return unknown("what a layer without call() does")

    def get_config(self):
        return unknown("a configuration")

    def count_params(self):
        return unknown("the number of parameters")

    def _pytrope_sizes(self):
        """The shapes of the weights that the layer has been built with, in Keras' order; Unknown where they are not
        known, None for a layer of the program's own, whose weights are those of its parts and those it has added."""
        return None

    def _pytrope_fixed(self):
        """How many of these, at the end, are never trained."""
        return 0

    def get_weights(self):
        from numpy import ndarray

        sizes = self._pytrope_sizes()
        if sizes is None or is_unknown(sizes):
            return unknown("the weights of a layer")
        return [array(ndarray, size, "float32") for size in sizes]

    def set_weights(self, weights):
        weights_fit(self.get_weights(), weights, "the layer")

    def compute_mask(self, inputs, mask=None):
        return unknown("a mask")

    def compute_output_shape(self, input_shape):
        return unknown("the shape of an output")

    def __call__(self, *args, **kwargs):
        return self._pytrope_called(*args, **kwargs)

    def _pytrope_called(self, *args, **kwargs):
        if len(args) == 0:
            return unknown("a layer called with keywords")
        inputs = taken(args[0])
        if is_unknown(inputs):
            return unknown("a layer called on an unknown value")
        if self._pytrope_given is None:
            self._pytrope_given = sizes_of(inputs)
        if not self.built:
            self.build(shapes_of(inputs))
            self.built = True
        given = self._pytrope_accepted(kwargs)
        result = call_back(self.call, inputs, *args[1:], **given)
        linked(result, [inputs] + list(args[1:]) + list(kwargs.values()))
        self._pytrope_made(result, args, kwargs)
        return result

    def _pytrope_made(self, made, args, kwargs):
        """Notes which symbolic tensors the layer has made, and of what."""
        if is_unknown(made):
            return
        if is_array(made):
            if is_symbolic(made):
                made._maker = self
                made._node = Node(self, args, kwargs, made)
                self._pytrope_seen = made if self._pytrope_seen is None else unknown("a layer that is called twice")
        elif isinstance(made, (list, tuple)) and has_rank(made):
            node = Node(self, args, kwargs, made)
            for one in made:
                if is_array(one) and is_symbolic(one):
                    one._maker = self
                    one._node = node

    def _pytrope_accepted(self, kwargs):
        """`training` and `mask` are for the layer itself where `call` does not take them."""
        if is_unknown(kwargs) or len(kwargs) == 0:
            return kwargs
        names = parameters_of(self.call)
        if names is None:
            return kwargs
        known = [name for name, _, _ in names]
        kept = {}
        for key, value in kwargs.items():
            if key in known or key not in ("training", "mask"):
                kept[key] = value
        return kept


class Node:
    """One call of a layer in a graph."""

    def __init__(self, layer, args, kwargs, made):
        self.layer = layer
        self.args = args
        self.kwargs = kwargs
        self.made = made


def with_bias(sizes, bias, use_bias):
    """The weights of a layer that adds a bias if it is told to; Unknown where that, or a size, is not known."""
    if not is_constant(use_bias):
        return unknown("a bias that may be there")
    every = list(sizes) + ([bias] if use_bias else [])
    for one in every:
        for size in one:
            if not is_constant(size):
                return unknown("weights of unknown sizes")
    return every


def listed_parents(x):
    parents = x._parents if is_symbolic(x) else None
    return [] if parents is None or is_unknown(parents) else parents


def weights_fit(own, given, what):
    """Requires as many arrays as there are weights, each of the shape of its weight."""
    if is_unknown(own) or is_unknown(given) or not isinstance(given, (list, tuple)) or not has_rank(given):
        return
    message = f"{what} has {len(own)} weights, but {len(given)} arrays are given"
    require(len(own) == len(given), ValueError, message, rule="layer-mismatch")
    for weight, one in zip(own, given):
        if not is_array(one) or not ranked(one):
            continue
        wanted, found = shape_of(weight), shape_of(one)
        message = f"a weight of {what} has shape {shown(wanted)}, but the array for it {shown(found)}"
        require(len(wanted) == len(found), ValueError, message, rule="layer-mismatch")
        for a, b in zip(wanted, found):
            if is_constant(a) and is_constant(b):
                require(a == b, ValueError, message, rule="layer-mismatch")


def taken(inputs):
    """What a layer makes of its argument: tensors, alone or in sequences and dictionaries; numbers become float32."""
    if is_unknown(inputs):
        return unknown("an unknown input")
    if isinstance(inputs, (list, tuple)) and not is_array(inputs):
        if not has_rank(inputs):
            return unknown("a sequence of inputs")
        holds_arrays = False
        for item in inputs:
            if is_array(item):
                holds_arrays = True
        if not holds_arrays:
            return unknown("a sequence of inputs that are no tensors")
        return [taken(item) for item in inputs]
    if isinstance(inputs, dict):
        return inputs
    if is_array(inputs) and is_tensor(inputs):
        return inputs
    x = converted(inputs)
    if is_unknown(x) or not is_array(x):
        return unknown("an unknown input")
    return tensor(shape_of(x), "float32" if dtype_of(x) == "float64" else dtype_of(x))


def sizes_of(inputs):
    """The shapes of what a layer is given, as tuples."""
    if isinstance(inputs, list):
        return [sizes_of(item) for item in inputs]
    return shape_of(inputs) if is_array(inputs) and ranked(inputs) else unknown("the shape of an input")


def shapes_of(inputs):
    """The argument of `build`."""
    if isinstance(inputs, list):
        return [shapes_of(item) for item in inputs]
    if is_array(inputs):
        return TensorShape(shape_of(inputs))
    return unknown("the shape of an input")


def symbols_of(values):
    """The symbolic tensors in arguments."""
    found = []
    for value in values:
        if is_unknown(value):
            pass
        elif is_array(value):
            if is_symbolic(value):
                found.append(value)
        elif isinstance(value, (list, tuple)) and has_rank(value):
            found.extend(symbols_of(value))
    return found


def linked(result, given):
    """Notes what a symbolic result was made of."""
    if is_unknown(result):
        return
    if is_array(result):
        if is_symbolic(result):
            result._parents = symbols_of(given)
    elif isinstance(result, (list, tuple)) and has_rank(result):
        for item in result:
            if is_array(item) and is_symbolic(item):
                item._parents = symbols_of(given)


def single(inputs, what):
    """The one tensor that a layer takes."""
    if is_array(inputs) and ranked(inputs):
        return inputs
    if isinstance(inputs, list) and len(inputs) == 1 and is_array(inputs[0]) and ranked(inputs[0]):
        return inputs[0]
    return unknown("an unknown input")


def alone(inputs, what):
    """The one tensor of a layer that refuses several."""
    if isinstance(inputs, list) and len(symbols_of(inputs)) > 1:
        require(
            False,
            ValueError,
            f"{what} takes one input, but this list has {len(inputs)}",
            rule="layer-mismatch",
        )
    return single(inputs, what)


def at_least(x, rank, what):
    require(
        len(shape_of(x)) >= rank,
        ValueError,
        f"{what} takes rank {rank} or more, but the input has shape {shown(shape_of(x))}",
        rule="layer-mismatch",
    )


def of_rank(x, rank, what):
    require(
        len(shape_of(x)) == rank,
        ValueError,
        f"{what} takes rank {rank}, but the input has shape {shown(shape_of(x))}",
        rule="layer-mismatch",
    )


def same_features(layer, size, x, what):
    """A layer that was built for a number of features keeps it."""
    before = layer._pytrope_features
    if is_constant(size):
        if is_unknown(before):
            layer._pytrope_features = size
        else:
            require(
                before == size,
                ValueError,
                f"{what} was built for {before} features, but the input has shape {shown(shape_of(x))}",
                rule="layer-mismatch",
            )


def result(x, shape, dtype=None):
    """The output of a layer on an input."""
    kept = dtype_of(x) if dtype is None else dtype
    return like([x], shape, kept)


def activated(made, activation):
    """The output of a layer that ends with an activation."""
    if is_array(made):
        made._squashed = activation
    return made
