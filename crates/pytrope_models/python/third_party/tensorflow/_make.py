"""How the models make and read tensors: classes, conversions, and which exception a misfit is.

An operation that runs at once raises `InvalidArgumentError`, one that is traced raises `ValueError`. A traced tensor is
a `KerasTensor`, or anything while a function under `tf.function` runs. Sizes that are not known in advance (`None`) are
symbols of which nothing is learned: TensorFlow does not check them while it traces.
"""

from _pytrope import (
    array,
    array_like,
    dtype_of,
    fresh,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    require,
    shape_of,
    unknown,
    values_of,
)

from ._dtypes import group
from .errors import InvalidArgumentError


class _Mode:
    """Whether a function is being traced."""

    tracing = False


MODE = _Mode()


def tensor(shape, dtype=None, values=None):
    """A tensor that is there."""
    from ._tensor import Tensor

    return array(Tensor, shape, dtype, values)


def symbolic(shape, dtype=None):
    """A tensor of a graph of layers, with a fresh symbol for each size that is None."""
    from ._tensor import KerasTensor

    return array(KerasTensor, shape, dtype)


def is_tensor(x):
    from ._tensor import Tensor

    return is_array(x, Tensor)


def is_symbolic(x):
    from ._tensor import KerasTensor

    return is_array(x, KerasTensor)


def like(operands, shape, dtype, values=None):
    """The result of an operation: symbolic if one of the operands is."""
    for x in operands:
        if is_array(x) and is_symbolic(x):
            made = symbolic(shape, dtype)
            made._parents = [x for x in operands if is_array(x) and is_symbolic(x)]
            return made
    return tensor(shape, dtype, values)


def misfit(*operands):
    """The class that a misfit of these operands raises."""
    if MODE.tracing:
        return ValueError
    for x in operands:
        if is_array(x) and is_symbolic(x):
            return ValueError
    return InvalidArgumentError


def opened(shape):
    """A shape with a fresh size for each None; Unknown where it is not a known sequence."""
    from ._tensor import TensorShape

    if isinstance(shape, TensorShape):
        return shape._sizes
    if is_unknown(shape) or not isinstance(shape, (tuple, list)) or not has_rank(shape):
        return unknown("an unknown shape")
    sizes = []
    for size in shape:
        if size is None or is_unknown(size):
            sizes.append(fresh("size"))
        elif is_array(size):
            values = values_of(size)
            if values is None or len(values) != 1:
                sizes.append(fresh("size"))
            else:
                sizes.append(values[0])
        else:
            sizes.append(size)
    return tuple(sizes)


def shown(shape):
    """A shape in a message, with None for what is not known in advance."""
    if not has_rank(shape):
        return "of unknown rank"
    return tuple([size if is_constant(size) else None for size in shape])


def ranked(x):
    """Whether a value is a tensor whose rank is known; always decided."""
    return is_array(x) and has_rank(shape_of(x))


def all_constant(sizes):
    for size in sizes:
        if not is_constant(size):
            return False
    return True


def same_size(a, b):
    """False only if two sizes are known and differ."""
    if is_constant(a) and is_constant(b):
        return a == b
    return True


PYTHON = {"int": "int32", "float": "float32", "complex": "complex128"}


def converted(x, dtype=None):
    """What `tf.convert_to_tensor` makes of a value; Unknown for what may be anything. NumPy's types are kept."""
    if is_unknown(x):
        return unknown("an unknown argument")
    if is_array(x):
        if is_tensor(x):
            return x
        from numpy import generic, ndarray

        if not is_array(x, ndarray) and not is_array(x, generic):
            return unknown("an array of another library")
        return tensor(shape_of(x), dtype_of(x) if dtype is None else dtype, values_of(x))
    if isinstance(x, (bool, int, float, complex)):
        shape, name, values = array_like(x)
        return tensor((), written_numbers(name) if dtype is None else dtype, values)
    if isinstance(x, (list, tuple)):
        if not has_rank(x):
            return unknown("a sequence of unknown length")
        return from_sequence(x, dtype)
    if isinstance(x, str):
        return tensor((), "string")
    return unknown("a value that is not known to be a tensor")


def written_numbers(name):
    """The type of Python's numbers, as tensors have it."""
    if is_unknown(name):
        return name
    if name in PYTHON:
        return PYTHON[name]
    if name == "int64":
        return "int32"
    if name == "float64":
        return "float32"
    return name


def from_sequence(items, dtype):
    """Nested lists of numbers, or of tensors that are stacked; ragged ones are not judged."""
    if len(items) == 0:
        return tensor((0,), "float32" if dtype is None else dtype)
    holds_arrays = False
    for item in items:
        if is_unknown(item):
            return unknown("a sequence with an unknown item")
        if is_array(item):
            holds_arrays = True
    if not holds_arrays and plain_numbers(items):
        shape, name, values = array_like(items)
        if is_unknown(shape):
            return unknown("an unknown sequence")
        return tensor(shape, written_numbers(name) if dtype is None else dtype, values)
    if not holds_arrays:
        return unknown("a sequence of other things")
    first = converted(items[0])
    if is_unknown(first) or not ranked(first):
        return unknown("a sequence of unknown tensors")
    for item in items:
        other = converted(item)
        if is_unknown(other) or not ranked(other) or len(shape_of(other)) != len(shape_of(first)):
            return unknown("a sequence of unknown tensors")
        for a, b in zip(shape_of(first), shape_of(other)):
            if not is_constant(a) or not is_constant(b) or a != b:
                return unknown("a sequence of unknown tensors")
    return like([first], (len(items),) + shape_of(first), dtype_of(first) if dtype is None else dtype)


def plain_numbers(items):
    """Whether nested sequences hold numbers alone, as deep as the first item goes, and are not ragged."""
    if len(items) > 64:
        return all_numbers(items[:4]) and not isinstance(items[0], (list, tuple))
    if isinstance(items[0], (list, tuple)):
        for item in items:
            if not isinstance(item, (list, tuple)) or not has_rank(item) or len(item) != len(items[0]):
                return False
            if len(item) == 0 or not plain_numbers(item):
                return False
        return True
    return all_numbers(items)


def all_numbers(items):
    for item in items:
        if is_unknown(item) or not isinstance(item, (bool, int, float)):
            return False
    return True


def operands(first, second):
    """Both operands of an operation as tensors; a number or a NumPy array takes the other's type."""
    if is_array(first) and is_tensor(first):
        other = converted(second, None if is_tensor(second) else dtype_of(first))
        return first, other
    if is_array(second) and is_tensor(second):
        return converted(first, dtype_of(second)), second
    one = converted(first)
    if is_unknown(one):
        return one, one
    return one, converted(second, dtype_of(one))


def broadcast_sizes(a, b):
    """The common shape of two tensors; only sizes that are known can misfit."""
    from _pytrope import broadcast

    one, two = shape_of(a), shape_of(b)
    if not has_rank(one) or not has_rank(two):
        return unknown("an unknown shape")
    if all_constant(one) and all_constant(two):
        return broadcast(a, b, error=misfit(a, b))
    longer, shorter = (one, two) if len(one) >= len(two) else (two, one)
    gap = len(longer) - len(shorter)
    sizes = list(longer[:gap])
    for x, y in zip(longer[gap:], shorter):
        if is_constant(x) and x != 1:
            if is_constant(y) and y != 1:
                require(
                    x == y,
                    misfit(a, b),
                    f"cannot broadcast shapes {shown(one)} and {shown(two)}: {x} ≠ {y}",
                    rule="broadcast-mismatch",
                )
            sizes.append(x)
        elif is_constant(y) and y != 1:
            sizes.append(y)
        elif is_constant(x):
            sizes.append(y)
        elif is_constant(y):
            sizes.append(x)
        elif is_same(x, y):
            sizes.append(x)
        else:
            sizes.append(fresh("size"))
    return tuple(sizes)


def is_same(x, y):
    from _pytrope import proved

    return proved(x == y)


def same_dtype(a, b):
    """Two tensors of different element types do not mix."""
    one, two = dtype_of(a), dtype_of(b)
    if is_unknown(one) or is_unknown(two) or is_unknown(group(one)) or is_unknown(group(two)):
        return
    if is_symbolic(a) or is_symbolic(b) or MODE.tracing:
        return
    require(one == two, InvalidArgumentError, f"the operands are {one} and {two}; tf.cast converts", rule="bad-operand")


def axis_of(axis, rank, error, what="axis"):
    """One axis counted from the front; Unknown when it is not a known integer."""
    if is_array(axis):
        values = values_of(axis)
        axis = values[0] if values is not None and len(values) == 1 else unknown("an axis")
    if is_unknown(axis) or not is_constant(axis) or not isinstance(axis, int):
        return unknown("an unknown axis")
    require(
        -rank <= axis and axis < rank,
        error,
        f"{what} {axis} is out of bounds for a tensor of rank {rank}",
        rule="axis-out-of-range",
    )
    return axis + rank if axis < 0 else axis
