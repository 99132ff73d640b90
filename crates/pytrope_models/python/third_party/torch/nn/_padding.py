"""Padding: constants, mirrored elements, repeated ones."""

from _pytrope import dtype_of, is_constant, is_unknown, lifted, proved, require, shape_of

from .._make import ranked, same_rank, tensor, tensor_arg, unranked
from .._versions import IS_NEW, IS_OLD


@lifted(tensor_arg, "input")
def pad(input, pad, mode="constant", value=None):
    if isinstance(pad, int) and is_constant(pad) and not isinstance(pad, bool):
        raise TypeError("pad takes a tuple of numbers, not one")
    if is_unknown(pad) or isinstance(pad, int):
        return same_rank(input)
    if not ranked(input) or not is_constant(len(pad)) or is_unknown(mode):
        return same_rank(input)
    shape = list(shape_of(input))
    if mode != "constant":
        return _pad_mirror(input, pad, mode)
    require(len(pad) % 2 == 0, RuntimeError, "pad takes pairs of numbers")
    require(
        len(pad) // 2 <= len(shape),
        RuntimeError,
        f"pad names {len(pad) // 2} dimensions, more than a tensor of shape {tuple(shape)} has",
    )
    for k in range(len(pad) // 2):
        place = len(shape) - 1 - k
        own = shape[place]
        shape[place] = own + pad[2 * k] + pad[2 * k + 1]
        if not proved(own + pad[2 * k] >= 0) and not proved(own + pad[2 * k + 1] >= 0):
            if IS_NEW:
                require(shape[place] >= 0, RuntimeError, f"padding {tuple(pad)} makes dim {place} negative")
            return same_rank(input)
        if IS_OLD and is_constant(shape[place]) and shape[place] < 0:
            # The class of the error depends on the dimension.
            return unranked(dtype_of(input))
        require(shape[place] >= 0, RuntimeError, f"padding {tuple(pad)} makes dim {place} negative")
    return tensor(tuple(shape), dtype_of(input))


def _pad_mirror(x, pad, mode):
    """reflect, replicate and circular pad the last dimensions of inputs with channels."""
    if is_constant(mode):
        require(mode in ("reflect", "replicate", "circular"), NotImplementedError, f"{mode!r} is no mode of padding")
    shape = list(shape_of(x))
    dims = len(pad) // 2
    require(len(pad) % 2 == 0, RuntimeError, "pad takes pairs of numbers")
    wrong = RuntimeError if len(shape) < dims else NotImplementedError
    require(
        len(shape) == dims + 1 or len(shape) == dims + 2,
        wrong,
        f"padding mode {mode!r} of {dims} dimensions does not take shape {tuple(shape)}",
        rule="layer-mismatch",
    )
    for k in range(dims):
        place = len(shape) - 1 - k
        size = shape[place]
        if mode == "reflect":
            require(
                pad[2 * k] < size and pad[2 * k + 1] < size,
                RuntimeError,
                f"reflection padding {tuple(pad)} must be smaller than the size {size}",
            )
        if mode == "circular":
            require(
                pad[2 * k] <= size and pad[2 * k + 1] <= size,
                RuntimeError,
                f"circular padding {tuple(pad)} is larger than the size {size}",
            )
        if mode == "replicate" and not (len(shape) == dims + 2 and not proved(shape[0] > 0)):
            require(size != 0, RuntimeError, f"there is nothing to repeat along dim {place} of size 0")
        shape[place] = size + pad[2 * k] + pad[2 * k + 1]
        least = 1 if IS_NEW and mode != "circular" else 0
        message = f"padding {tuple(pad)} leaves size {shape[place]} of dim {place}"
        require(shape[place] >= least, RuntimeError, message, rule="layer-mismatch")
    return tensor(tuple(shape), dtype_of(x))
