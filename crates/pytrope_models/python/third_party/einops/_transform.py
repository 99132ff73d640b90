"""rearrange, reduce and repeat: one rule for the sizes of named axes, three rules for which axes there may be."""

from _pytrope import (
    dtype_of,
    has_rank,
    is_array,
    is_assuming,
    is_constant,
    is_unknown,
    learn_rank,
    product,
    proved,
    require,
    shape_of,
    unknown,
)

from ._patterns import complain, number_axes, parse_pattern, refuse

REDUCTIONS = ("min", "max", "sum", "mean", "prod", "any", "all")


def rearrange(tensor, pattern, **axes_lengths):
    return transform("rearrange", tensor, pattern, None, axes_lengths)


def reduce(tensor, pattern, reduction, **axes_lengths):
    return transform("reduce", tensor, pattern, reduction, axes_lengths)


def repeat(tensor, pattern, **axes_lengths):
    return transform("repeat", tensor, pattern, None, axes_lengths)


def transform(function, tensor, pattern, reduction, lengths):
    x = stacked(tensor)
    if is_assuming() and is_unknown(x):
        from torch._make import tensor_arg

        x = tensor_arg(x)
    sides = checked_sides(function, pattern, reduction, lengths)
    if is_unknown(sides) or is_unknown(x) or not is_array(x):
        return unknown("an unknown tensor or pattern")
    left, right = sides
    sizes = input_sizes(function, pattern, left, x)
    if is_unknown(sizes):
        if right.ellipsis() is None:
            # The rank of the result is that of its pattern, whatever the ellipsis stands for.
            sizes = tuple([unknown("a size") for _ in right.groups])
        return x._of_shape(sizes, result_dtype(x, function, reduction))
    if function == "reduce" and not reduces(left, right, sizes):
        function = "rearrange"
    known = axis_sizes(function, pattern, left, sizes, lengths, shape_of(x))
    if is_unknown(known):
        return x._of_shape(known, result_dtype(x, function, reduction))
    shape = tuple([group_size(function, group, known, lengths) for group in spread(right, known)])
    return x._of_shape(shape, result_dtype(x, function, reduction), function == "reduce")


def reduces(left, right, sizes):
    """Whether an axis goes; if none does, nothing changes the elements."""
    if [name for name in left.names() if name not in right.names()] or len(number_axes(left)) > 0:
        return True
    place = left.ellipsis()
    return place is not None and right.ellipsis() is None and len(sizes[place]) > 0


def stacked(tensor):
    """A list of tensors is one tensor with a new first axis."""
    if is_unknown(tensor) or not isinstance(tensor, (list, tuple)):
        return tensor
    if not has_rank(tensor) or len(tensor) == 0 or not is_array(tensor[0]):
        return unknown("a list of unknown tensors")
    first = tensor[0]
    for other in tensor:
        if not is_array(other) or not has_rank(shape_of(other)) or not has_rank(shape_of(first)):
            return unknown("a list of unknown tensors")
    return first._stack_of(tensor)


def checked_sides(function, pattern, reduction, lengths):
    """The two sides, with the rules about which axes each operation may have."""
    sides = parse_pattern(function, pattern)
    if is_unknown(sides):
        return sides
    left, right = sides
    before, after = left.names(), right.names()
    if function == "rearrange":
        for side in (left, right):
            for axis in number_axes(side):
                complain(
                    function,
                    pattern,
                    f"{axis[0]} cannot be an axis of a rearrangement: 1 is the only number allowed",
                    axis,
                )
        for side, others, which in ((left, after, "right"), (right, before, "left")):
            for name in side.names():
                if name not in others:
                    complain(function, pattern, f"axis {name} is not on the {which} side", side.place_of(name))
    elif function == "repeat":
        for axis in number_axes(left):
            complain(function, pattern, f"{axis[0]} cannot be repeated: axes of the tensor have names", axis)
        for name in before:
            if name not in after:
                complain(function, pattern, f"axis {name} is not on the right side", left.place_of(name))
        for name in after:
            if name not in before and name not in lengths:
                complain(function, pattern, f"no size is given for the new axis {name}", right.place_of(name))
    else:
        if is_constant(reduction) and isinstance(reduction, str) and reduction not in REDUCTIONS:
            complain(function, pattern, f"{reduction} is not one of {', '.join(REDUCTIONS)}")
        for name in after:
            if name not in before:
                complain(function, pattern, f"axis {name} is not on the left side", right.place_of(name))
    for name in lengths:
        if name not in before and name not in after:
            complain(function, pattern, f"a size is given for {name}, which is not an axis of the pattern")
    return sides


def input_sizes(function, pattern, side, x):
    """The sizes that stand for the groups of a side; the ellipsis takes a tuple of them."""
    shape = shape_of(x)
    place = side.ellipsis()
    count = len(side.groups)
    if place is None:
        refuse(
            len(shape) == count,
            function,
            pattern,
            f"{count} axes are named, but shape {shape} has {len(shape)}",
        )
        learn_rank(x, count)
        shape = shape_of(x)
        if not has_rank(shape):
            return [unknown("a size") for _ in range(count)]
        return list(shape)
    refuse(
        len(shape) >= count - 1,
        function,
        pattern,
        f"at least {count - 1} axes are named, but shape {shape} has {len(shape)}",
        side.place_of("..."),
    )
    if not has_rank(shape):
        return unknown("the number of axes is not known")
    rest = len(shape) - (count - 1)
    return list(shape[:place]) + [shape[place : place + rest]] + list(shape[place + rest :])


def axis_sizes(function, pattern, left, sizes, lengths, shape):
    """The size of each named axis."""
    known = {}
    for group, size in zip(left.groups, sizes):
        if len(group) == 1 and group[0][0] == "...":
            known["..."] = size
            continue
        open_axis, given = None, 1
        for axis in group:
            name = axis[0]
            if name.isdecimal():
                given = given * int(name)
            elif name in lengths:
                given = given * lengths[name]
                known[name] = lengths[name]
            elif open_axis is not None:
                complain(function, pattern, f"the sizes of {open_axis[0]} and {name} cannot both be inferred", axis)
            else:
                open_axis = axis
        span = place_of_group(group)
        if open_axis is None:
            if not is_unknown(given) and not is_unknown(size):
                refuse(size == given, function, pattern, mismatch(group, size, given, shape), span, f"{given} here")
        elif len(group) == 1:
            known[open_axis[0]] = size
        elif is_unknown(given) or is_unknown(size):
            known[open_axis[0]] = unknown("a size")
        else:
            if is_assuming():
                refuse(given > 0, function, pattern, f"{shown(group)} is divided by {given}", span)
            if proved(given > 0):
                refuse(
                    size % given == 0,
                    function,
                    pattern,
                    f"{shown(group)} has size {size}, which is not a multiple of {given} (shape {shape})",
                    span,
                    f"a multiple of {given} is needed here",
                )
                known[open_axis[0]] = size // given
            else:
                known[open_axis[0]] = unknown("a size")
    return known


def mismatch(group, size, given, shape):
    return f"{shown(group)} is {given} by the sizes given, but {size} in shape {shape}"


def shown(group):
    if len(group) == 0:
        return "an axis of size 1"
    names = " ".join([axis[0] for axis in group])
    return f"({names})" if len(group) > 1 else f"axis {names}"


def place_of_group(group):
    return (shown(group), group[0][1], group[-1][2]) if len(group) > 0 else None


def spread(right, known):
    """The groups of the result, in which an ellipsis outside of a group is one group for each of its axes."""
    groups = []
    for group, is_grouped in zip(right.groups, right.parts):
        if len(group) == 1 and group[0][0] == "..." and not is_grouped:
            for size in known["..."]:
                groups.append([size])
        else:
            groups.append(group)
    return groups


def group_size(function, group, known, lengths):
    """The size of one axis of the result."""
    total = 1
    for axis in group:
        if not isinstance(axis, tuple):
            total = total * axis
        elif axis[0] == "...":
            total = total * product(known["..."])
        elif axis[0].isdecimal():
            total = total * int(axis[0])
        elif axis[0] in known:
            if is_unknown(known[axis[0]]):
                return unknown("a size")
            total = total * known[axis[0]]
        else:
            if is_unknown(lengths[axis[0]]):
                return unknown("a size")
            total = total * lengths[axis[0]]
    return total


def result_dtype(x, function, reduction):
    """The element type after a reduction."""
    dtype = dtype_of(x)
    if function != "reduce" or (is_constant(reduction) and reduction in ("min", "max")):
        return dtype
    if not is_constant(reduction) or not isinstance(reduction, str) or is_unknown(dtype):
        return unknown("the element type of a reduction")
    if reduction in ("any", "all"):
        return "bool"
    is_float = dtype[:5] in ("float", "bfloa") or dtype[:7] == "complex"
    if reduction == "mean":
        if dtype[:3] in ("int", "uin", "boo"):
            require(
                False, NotImplementedError, f"a mean needs floating-point elements, not {dtype}", rule="bad-operand"
            )
        return dtype
    return dtype if is_float else unknown("the element type of a sum of integers")
