"""How the models make and read tensors: one place that knows the class and what may be unknown."""

from _pytrope import (
    array_arg,
    array_maker,
    dtype_of,
    is_constant,
    is_assuming,
    is_unknown,
    last_sizes_of,
    learn_rank,
    ranked,
    relate_rank,
    set_last_sizes,
    shape_of,
    share_rank,
    unknown,
)

from ._named_results import NamedResult, is_tensor
from ._origin import pass_on


# `tensor(shape, dtype=None, values=None)`: a tensor of this shape; `dtype` is a name such as 'float32', or None when it
# is not known.
tensor = array_maker("torch._tensor", "Tensor")


def unranked(dtype=None):
    """A tensor of which not even the rank is known."""
    return tensor(unknown("the rank is not known"), dtype)


def same_dtype(x, *others):
    """What is left where the shape cannot be said: a tensor with the element type of the first operand."""
    return unranked(dtype_of(x))


def same_rank(x, *others):
    """What is left where only the sizes cannot be said: a tensor with as many dimensions as the first operand."""
    return with_rank(x, 0, dtype_of(x))


def usual_rank(x, *others):
    """What is left where the result has the rank of the first operand, unless a broadcast adds dimensions."""
    return same_rank(x) if is_assuming() else same_dtype(x)


def with_rank(x, more, dtype):
    """A tensor of unknown sizes that has `more` dimensions than `x`."""
    if ranked(x):
        count = len(shape_of(x)) + more
        return of_rank(count, dtype) if count >= 0 else unranked(dtype)
    return relate_rank(unranked(dtype), x, more)


def of_rank(count, dtype):
    return tensor(tuple([unknown("a size") for _ in range(count)]), dtype)


def require_rank(x, rank):
    """An operation that takes this rank alone: a tensor whose rank is open has it from here on."""
    if not ranked(x):
        learn_rank(x, rank)


def any_tensor(*operands):
    """What is left where neither shape nor element type can be said."""
    return unranked()


def tensor_arg(x, name="input"):
    """The tensor that an operation was given; what cannot be one raises as the argument parser does."""
    if is_unknown(x):
        from ._tensor import Tensor

        known = array_arg(x, Tensor)
        return unranked() if is_unknown(known) else known
    if is_tensor(x):
        return x
    if is_constant(x) or isinstance(x, (list, tuple, dict)):
        raise TypeError(f"argument '{name}' must be Tensor")
    if isinstance(x, NamedResult):
        raise TypeError(f"argument '{name}' must be Tensor, not a tuple of several results")
    return unranked()


tensor_arg.inherited = ("_origin", pass_on)
# A tensor is given back as it is, which is known without running the body.
tensor_arg.keeps = is_tensor


def asked_arg(x, name="input"):
    """The tensor of a function that is written in Python: what is no tensor lacks the method it is asked for."""
    if not is_unknown(x) and not is_tensor(x) and (is_constant(x) or isinstance(x, (list, tuple, dict))):
        raise AttributeError(f"'{type(x).__name__}' object has no attribute of a tensor")
    return tensor_arg(x, name)


asked_arg.inherited = ("_origin", pass_on)
asked_arg.keeps = is_tensor


def known_suffix(x):
    """The trailing sizes that are known: all of them when the rank is, else what a layer left behind."""
    return shape_of(x) if ranked(x) else last_sizes_of(x)


def shown(x):
    """The shape in a message, `(..., 3)` where only its end is known."""
    if ranked(x):
        return shape_of(x)
    text = "(..."
    for size in known_suffix(x):
        text = f"{text}, {size}"
    return f"{text})"


def trailing(sizes, dtype=None):
    """A tensor of unknown rank whose last sizes are these."""
    made = unranked(dtype)
    set_last_sizes(made, sizes)
    return made


def alike(x, dtype=None):
    """A tensor with the shape of `x`, as far as that is known."""
    if not ranked(x):
        return share_rank(trailing(last_sizes_of(x), dtype), x)
    made = tensor(shape_of(x), dtype)
    if is_constant(x._strides) and x._strides is True:
        made._strides = True
    if x._is_noncontiguous:
        # Operations on each element keep the order in memory.
        made._is_noncontiguous = True
        made._neighbours = x._neighbours
    return made


def either(first, second):
    """One of two results, and nothing says which."""
    if unknown("either result is possible"):
        return first
    return second


def sizes(args):
    """The sizes of a call that takes them as `(2, 3)`, `[2, 3]` or `2, 3`; Unknown when their number is not known."""
    if len(args) == 1:
        only = args[0]
        if is_unknown(only):
            return unknown("the sizes are not known")
        if isinstance(only, (tuple, list)):
            return only
    return args


def axis(dim, rank, name="dim"):
    """A dimension counted from the front; out of range raises as PyTorch does, and a scalar counts as one dimension."""
    from _pytrope import require

    room = rank if rank > 0 else 1
    require(
        -room <= dim and dim < room,
        IndexError,
        f"{name} {dim} is out of range for a tensor of rank {rank} ({-room} to {room - 1})",
        rule="axis-out-of-range",
    )
    return dim + room if dim < 0 else dim


def axes(dims, rank):
    """Several dimensions, counted from the front, none twice."""
    from _pytrope import require

    found = []
    for dim in dims:
        place = axis(dim, rank)
        require(place not in found, RuntimeError, f"dim {place} appears twice", rule="axis-out-of-range")
        found.append(place)
    return found
