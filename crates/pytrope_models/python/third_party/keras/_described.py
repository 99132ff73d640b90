"""What `pytrope draw` asks of layers: names, numbers of weights, and runs of a graph with other inputs."""

from _pytrope import (
    dtype_of,
    fresh,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    own_attributes,
    product,
    shape_of,
    unknown,
)

from tensorflow._make import is_same, is_symbolic, like, ranked

from ._base import Layer
from .layers._convolution import Conv1D, Conv2D, Conv3D, DepthwiseConv1D, SeparableConv1D, _Transposed
from .layers._core import Dense
from .models import Model, Sequential, listed, one_of

# Attributes that hold no layers.
OTHERS = ("optimizer", "loss")
# How much of a graph is followed.
MOST_NODES = 2000


def is_layer(x):
    return not is_unknown(x) and not is_array(x) and isinstance(x, Layer)


def number_of(layer, numbered):
    """The number of a layer among those that were met."""
    if layer._pytrope_number is None:
        layer._pytrope_number = len(numbered)
        numbered.append(layer)
    return layer._pytrope_number


def count_instance(layer, counts):
    """Numbers the layers of a class that the program gives no name, as they are made: Keras names them so."""
    if layer._pytrope_name is None and layer._pytrope_index is None:
        kind = type(layer).__name__
        layer._pytrope_index = counts.get(kind, 0)
        counts[kind] = layer._pytrope_index + 1


def label_of(layer):
    """The name of a layer, the attribute that holds it, or else its number among those of its class."""
    if layer._pytrope_name is not None:
        return layer._pytrope_name
    return layer._pytrope_index if layer._pytrope_place is None else layer._pytrope_place


def nodes_of(model):
    """The calls of layers that a functional model consists of, each behind those that it depends on; None where they
    are not known."""
    inputs, outputs = flat(model._pytrope_inputs), flat(model._pytrope_outputs)
    if inputs is None or outputs is None:
        return None
    waiting, done, nodes = list(outputs)[::-1], list(inputs), []
    while len(waiting) > 0:
        x = waiting[-1]
        if one_of(x, done):
            waiting.pop()
            continue
        if x._parents is None or is_unknown(x._parents) or len(done) > MOST_NODES:
            return None
        before = [one for one in x._parents if not one_of(one, done)]
        if len(before) > 0:
            waiting.extend(before[::-1])
            continue
        waiting.pop()
        done.append(x)
        if x._node is not None and not is_unknown(x._node) and not one_of(x._node, nodes):
            nodes.append(x._node)
    return nodes


def flat(tensors):
    """Symbolic tensors of a structure as a list; None where one of them is not known."""
    if tensors is None or is_unknown(tensors):
        return None
    found = list(tensors.values()) if isinstance(tensors, dict) else listed(tensors)
    if not has_rank(found):
        return None
    for x in found:
        if is_unknown(x) or not is_array(x) or not is_symbolic(x):
            return None
    return found


def parts_of(layer):
    """The layers inside a layer, each with the attribute that holds it; None where they are not known."""
    if isinstance(layer, Sequential):
        if is_unknown(layer._pytrope_layers):
            return None
        return [(None, one) for one in layer._pytrope_layers]
    parts = []
    if isinstance(layer, Model) and layer._pytrope_outputs is not None:
        nodes = nodes_of(layer)
        if nodes is None:
            return None
        parts.extend([(None, node.layer) for node in nodes])
    attributes = own_attributes(layer)
    if is_unknown(attributes):
        return None
    for name, value in attributes.items():
        if name in OTHERS or name.startswith("_pytrope_"):
            continue
        if is_unknown(value):
            return None
        if is_layer(value):
            parts.append((name, value))
        elif isinstance(value, (list, tuple)) and not is_array(value) and has_rank(value):
            for at, one in enumerate(value):
                if is_layer(one):
                    parts.append((f"{name}.{at}", one))
        elif isinstance(value, dict):
            for key, one in value.items():
                if is_layer(one):
                    parts.append((f"{name}.{key}", one))
    return parts


def place_parts(layer):
    """Names the layers inside a layer of the program's own after the attributes that hold them."""
    parts = parts_of(layer) if layer._pytrope_sizes() is None else None
    if parts is None:
        return
    for place, part in parts:
        if place is not None and part._pytrope_place is None:
            part._pytrope_place = place


def count_weights(layer):
    """How many weights a layer has, those of the layers inside included, and how many of them are not trained; None for
    what is not known."""
    waiting, seen, total, fixed = [(layer, False)], [], 0, 0
    while len(waiting) > 0:
        one, frozen = waiting.pop()
        if one_of(one, seen):
            continue
        seen.append(one)
        frozen = frozen or (is_constant(one.trainable) and not one.trainable)
        if is_unknown(one._pytrope_counts):
            return None
        if one._pytrope_counts is not None:
            more, never = one._pytrope_counts
            total, never = total + more, more if frozen else never
            fixed = None if fixed is None or never is None else fixed + never
            continue
        sizes, added = one._pytrope_sizes(), one._pytrope_added
        if is_unknown(sizes) or is_unknown(added):
            return None
        if sizes is None:
            parts = parts_of(one)
            if parts is None:
                return None
            waiting.extend([(part, frozen) for _, part in parts])
            sizes = []
        trained = len(sizes) - one._pytrope_fixed()
        every = [(size, at < trained) for at, size in enumerate(sizes)] + list(added)
        for size, is_trained in every:
            number = product(size)
            if not is_constant(number):
                return None
            total = total + number
            if fixed is not None and (frozen or (is_constant(is_trained) and not is_trained)):
                fixed = fixed + number
    return (total, fixed)


def applied_weight(layer):
    """Whether a layer applies one kernel at every place of its output or of its input, and the sizes of the kernel,
    that of the result first."""
    sizes = layer._pytrope_sizes()
    if sizes is None or is_unknown(sizes) or len(sizes) == 0 or isinstance(layer, SeparableConv1D):
        return "", ()
    kernel = sizes[0]
    if isinstance(layer, DepthwiseConv1D):
        return "output", (kernel[-1],) + kernel[:-2]
    if isinstance(layer, (Dense, Conv1D, Conv2D, Conv3D)):
        return "output", (kernel[-1],) + kernel[:-1]
    if isinstance(layer, _Transposed):
        return "input", (kernel[-1],) + kernel[:-1]
    return "", ()


def sources_of(given):
    """What has made the symbolic tensors that a layer is given, through the operations between them: numbers of layers,
    and the names of inputs. Unknown where that cannot be said."""
    found, waiting, seen = [], symbols_in(given), []
    while len(waiting) > 0:
        x = waiting.pop(0)
        if one_of(x, seen):
            continue
        seen.append(x)
        if len(seen) > 50:
            return unknown("many sources")
        if x._maker is not None and not is_unknown(x._maker):
            found.append(x._maker._pytrope_number)
        elif x._parents is None or x._is_input is True:
            name = x._input_name
            found.append(name if is_constant(name) and isinstance(name, str) else "input")
        elif is_unknown(x._parents):
            return unknown("a tensor whose origin is not known")
        else:
            waiting.extend(x._parents)
    return found


def symbols_in(values):
    from ._base import symbols_of

    return symbols_of(values)


def open_batch(args):
    """The first size of a symbolic input that a layer is given; None for everything else."""
    if len(args) > 0 and not is_unknown(args[0]) and is_array(args[0]) and is_symbolic(args[0]):
        x = args[0]
        if x._is_input is True and ranked(x) and len(shape_of(x)) > 0:
            return shape_of(x)[0]
    return None


def declared_inputs(model):
    """The names, shapes and dtypes of the inputs that a model declares, a size that is open as None; None if it
    declares none."""
    if isinstance(model, Sequential):
        first = model._pytrope_first
        tensors = None if first is None or is_unknown(first) or not is_array(first) else [first]
        wanted = first
    else:
        wanted = model._pytrope_inputs if isinstance(model, Model) else None
        tensors = flat(wanted)
    if tensors is None:
        return None
    names = list(wanted.keys()) if isinstance(wanted, dict) else [x._input_name for x in tensors]
    found = []
    for at, x in enumerate(tensors):
        if not ranked(x):
            return None
        name = names[at]
        if not is_constant(name) or not isinstance(name, str):
            name = "inputs" if len(tensors) == 1 else f"input_{at + 1}"
        found.append((name, [size if is_constant(size) else None for size in shape_of(x)], dtype_of(x)))
    return found


def takes_names(model):
    """Whether the inputs of a model are a dictionary."""
    return not isinstance(model, Sequential) and isinstance(model, Model) and isinstance(model._pytrope_inputs, dict)


def kind_of(layer):
    """The class of a layer, as Keras names it."""
    if type(layer) is Model or isinstance(layer, Model) and layer._pytrope_counts is not None:
        return "Functional"
    return type(layer).__name__


def run_graph(model, outputs, references, parts):
    """The outputs of a functional model for parts in place of its inputs: every layer is called again."""
    nodes = nodes_of(model)
    if nodes is None:
        return [unknown("a graph that is not known") for _ in outputs]
    declared = declared_inputs(model)
    for at, part in enumerate(parts):
        if (
            declared is not None
            and is_array(part)
            and is_symbolic(part)
            and part._maker is None
            and part._parents is None
        ):
            part._input_name = declared[at][0]
    old, new = list(references), list(parts)
    for node in nodes:
        args = [replaced(one, old, new, references, parts) for one in node.args]
        kwargs = {name: replaced(one, old, new, references, parts) for name, one in node.kwargs.items()}
        made = node.layer(*args, **kwargs)
        if isinstance(node.made, (list, tuple)):
            for at, one in enumerate(node.made):
                old.append(one)
                new.append(unknown("an unknown output") if is_unknown(made) else made[at])
        else:
            old.append(node.made)
            new.append(made)
    return [replaced(one, old, new, references, parts) for one in outputs]


def replaced(value, old, new, references, parts):
    """A value with the tensors of a graph exchanged; results of operations between layers keep the sizes that are
    known."""
    if is_unknown(value):
        return value
    if is_array(value):
        if not is_symbolic(value):
            return value
        for before, after in zip(old, new):
            if before is value:
                return after
        made = resized(value, references, parts)
        if is_array(made) and is_symbolic(made) and value._parents is not None and not is_unknown(value._parents):
            made._parents = [replaced(one, old, new, references, parts) for one in value._parents]
        return made
    if isinstance(value, list):
        return [replaced(one, old, new, references, parts) for one in value]
    if isinstance(value, tuple):
        return tuple([replaced(one, old, new, references, parts) for one in value])
    if isinstance(value, dict):
        return {name: replaced(one, old, new, references, parts) for name, one in value.items()}
    return value


def resized(x, references, parts):
    """The result of an operation for other inputs: a size of an input is that of the new one."""
    if not ranked(x):
        return unknown("an operation on tensors of unknown rank")
    sizes = []
    for size in shape_of(x):
        made = size if is_constant(size) else fresh("size")
        if not is_constant(size):
            for reference, part in zip(references, parts):
                if is_array(part) and ranked(part):
                    for before, after in zip(shape_of(reference), shape_of(part)):
                        if not is_constant(before) and is_same(before, size):
                            made = after
        sizes.append(made)
    made = like(list(parts), tuple(sizes), dtype_of(x))
    made._squashed = x._squashed
    return made
