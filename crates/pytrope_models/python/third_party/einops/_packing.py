"""pack and unpack: tensors of different ranks in one, and back."""

from _pytrope import (
    dtype_of,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    pattern_tokens,
    product,
    proved,
    require,
    shape_of,
    unknown,
)

from ._errors import EinopsError
from ._patterns import complain, refuse


def star_of(function, pattern):
    """How many axes stand before and after the `*` of a pattern."""
    names = []
    for token in pattern_tokens(pattern):
        if token[0] in names:
            complain(function, pattern, f"axis {token[0]} is named twice", token, "named again here")
        if token[0] != "*" and not token[0].isidentifier():
            complain(function, pattern, f"{token[0]} is not a valid axis name", token)
        names.append(token[0])
    if "*" not in names:
        complain(function, pattern, "the pattern needs a *")
    before = names.index("*")
    return before, len(names) - before - 1


def pack(tensors, pattern):
    if is_unknown(pattern) or not is_constant(pattern) or is_unknown(tensors) or not has_rank(tensors):
        return unknown("packed tensors"), unknown("the shapes of packed tensors")
    before, after = star_of("pack", pattern)
    flat, shapes = [], []
    for position, x in enumerate(tensors):
        if is_unknown(x) or not is_array(x) or not has_rank(shape_of(x)):
            return unknown("packed tensors"), unknown("the shapes of packed tensors")
        shape = shape_of(x)
        refuse(
            len(shape) >= before + after,
            "pack",
            pattern,
            f"tensor {position + 1} of shape {shape} has fewer than {before + after} axes",
        )
        middle = shape[before : len(shape) - after]
        shapes.append(middle)
        flat.append(x._of_shape(shape[:before] + (product(middle),) + shape[len(shape) - after :], dtype_of(x)))
    if len(flat) == 0:
        return unknown("no tensors"), unknown("no tensors")
    return flat[0]._joined_with(flat, before), shapes


def unpack(tensor, packed_shapes, pattern):
    if is_unknown(tensor) or not is_array(tensor) or is_unknown(pattern) or not is_constant(pattern):
        return unknown("the parts of an unknown tensor")
    before, after = star_of("unpack", pattern)
    shape = shape_of(tensor)
    refuse(
        len(shape) == before + 1 + after,
        "unpack",
        pattern,
        f"{before + 1 + after} axes are named, but shape {shape} has {len(shape)}",
    )
    if not has_rank(shape) or is_unknown(packed_shapes) or not has_rank(packed_shapes):
        return unknown("the parts of an unknown tensor")
    total, open_part, parts = 0, None, []
    for position, part in enumerate(packed_shapes):
        if is_unknown(part) or not has_rank(part):
            return unknown("the parts of an unknown tensor")
        for size in part:
            if is_unknown(size):
                return unknown("the parts of an unknown tensor")
            if is_constant(size) and size == -1:
                if open_part is not None:
                    complain("unpack", pattern, "two sizes are -1")
                open_part = position
        if open_part != position:
            total = total + product(part)
        parts.append(tuple(part))
    length = shape[before]
    if len(parts) == 0:
        return []
    if open_part is None:
        refuse(total == length, "unpack", pattern, f"the parts need {total} of the {length} places of shape {shape}")
    else:
        return unknown("a piece that takes the remainder")
    return [tensor._of_shape(shape[:before] + part + shape[before + 1 :], dtype_of(tensor)) for part in parts]
