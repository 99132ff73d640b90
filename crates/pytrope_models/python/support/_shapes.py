"""Shape arithmetic shared by the models of array libraries: axes, reductions, concatenation, windows.

Functions take and return shapes. A shape is a tuple of (possibly symbolic) sizes; when its rank is
not known it is an open value for which `has_rank` is False, and results are then open as well.
"""

from _pytrope import has_rank, is_array, is_constant, is_unknown, product, proved, refuted, require, unknown, values_of


def as_index(x):
    """An integer argument, with rank-0 arrays replaced by their value."""
    if is_array(x):
        values = values_of(x)
        if values is None or len(values) != 1:
            return unknown("an integer from an array")
        return values[0]
    return x


def as_sizes(shape, error=TypeError):
    """A shape argument as a tuple: an integer is a one-element shape, arrays give their values."""
    if is_unknown(shape):
        return shape
    if is_array(shape):
        values = values_of(shape)
        if values is None:
            return unknown("a shape from an array")
        if len(shape.shape) == 0:
            return (values[0],)
        return tuple(values)
    if isinstance(shape, int):
        return (shape,)
    if isinstance(shape, (tuple, list, range)):
        if not has_rank(shape):
            return unknown("a shape of unknown length")
        sizes = tuple([as_index(size) for size in shape])
        for size in sizes:
            if isinstance(size, (float, str)):
                require(
                    False,
                    error,
                    f"a size must be an integer, not {size}",
                    rule="float-dimension" if isinstance(size, float) else "shape-argument",
                    help=whole(size),
                )
        return sizes
    if isinstance(shape, (float, str)):
        require(
            False,
            error,
            f"a shape must be made of integers, not {shape}",
            rule="float-dimension" if isinstance(shape, float) else "shape-argument",
            help=whole(shape),
        )
    return unknown("a shape that is not a tuple")


def whole(size):
    """What makes a float a size."""
    return "// divides to a whole number, int() makes one" if isinstance(size, float) else None


def check_sizes(sizes, error=ValueError):
    """Sizes of a new array are not negative."""
    if has_rank(sizes):
        for size in sizes:
            if not is_unknown(size):
                require(size >= 0, error, f"dimensions must not be negative: {sizes}", rule="shape-argument")
    return sizes


def check_axis(axis, rank, error, shape=None):
    """One axis argument as a number from 0; unknown when it is not a known integer."""
    axis = as_index(axis)
    if isinstance(axis, float):
        raise TypeError("an axis must be an integer, not a float")
    if not is_constant(axis) or not isinstance(axis, int):
        return unknown("an unknown axis")
    if axis < -rank or axis >= rank:
        if shape is None:
            require(False, error, f"axis {axis} is out of bounds for an array of rank {rank}", rule="axis-out-of-range")
        else:
            require(
                False, error, f"axis {axis} is out of bounds for shape {shape} of rank {rank}", rule="axis-out-of-range"
            )
    if axis < 0:
        return axis + rank
    return axis


def check_axes(axis, rank, error, shape=None, repeated=ValueError):
    """An axis argument, integer or tuple, as a list of different numbers from 0."""
    if isinstance(axis, (tuple, list)):
        if not has_rank(axis):
            return unknown("unknown axes")
        axes = [check_axis(one, rank, error, shape) for one in axis]
        for position, one in enumerate(axes):
            if is_unknown(one):
                return unknown("unknown axes")
            if one in axes[:position]:
                require(False, repeated, f"axis {one} is given twice", rule="axis-out-of-range")
        return axes
    one = check_axis(axis, rank, error, shape)
    if is_unknown(one):
        return one
    return [one]


def reduce_shape(shape, axis, keepdims, error):
    """What is left of a shape after a reduction."""
    if axis is None and keepdims is False:
        return ()
    if not has_rank(shape) or is_unknown(axis):
        return unknown("a reduction over unknown axes")
    if axis is None:
        axes = list(range(len(shape)))
    else:
        axes = check_axes(axis, len(shape), error, shape)
    if is_unknown(axes) or not is_constant(keepdims):
        return unknown("a reduction over unknown axes")
    left = []
    for position, size in enumerate(shape):
        if position not in axes:
            left.append(size)
        elif keepdims:
            left.append(1)
    return tuple(left)


def permute_shape(shape, order, error, repeated=ValueError):
    """The shape after a transposition by `order`."""
    if not has_rank(shape) or is_unknown(order) or not has_rank(order):
        return unknown("a transposition by unknown axes")
    require(
        len(order) == len(shape),
        repeated,
        f"{len(order)} axes do not fit shape {shape} of rank {len(shape)}",
        rule="axis-out-of-range",
    )
    axes = check_axes(tuple(order), len(shape), error, shape, repeated)
    if is_unknown(axes):
        return axes
    return tuple([shape[axis] for axis in axes])


def squeeze_shape(shape, axis, error, not_one=ValueError):
    """The shape without its axes of size 1."""
    if not has_rank(shape) or is_unknown(axis):
        return unknown("a squeeze of an unknown shape")
    left = []
    if axis is None:
        for size in shape:
            if is_unknown(size):
                return unknown("a squeeze of an unknown size")
            if proved(size == 1):
                continue
            if not refuted(size == 1):
                return unknown("a squeeze of a size that may be 1")
            left.append(size)
        return tuple(left)
    if len(shape) == 0 and not isinstance(axis, (tuple, list)):
        check_axis(axis, 1, error)
        return ()
    axes = check_axes(axis, len(shape), error, shape)
    if is_unknown(axes):
        return axes
    for position, size in enumerate(shape):
        if position not in axes:
            left.append(size)
        elif not_one is not None:
            require(
                size == 1,
                not_one,
                f"axis {position} of shape {shape} has size {size}, only size 1 can be squeezed out",
                rule="shape-argument",
            )
        elif refuted(size == 1):
            left.append(size)
        elif not proved(size == 1):
            return unknown("a squeeze of a size that may be 1")
    return tuple(left)


def expand_shape(shape, axis, error):
    """The shape with new axes of size 1 at the given places of the result."""
    if not has_rank(shape) or is_unknown(axis):
        return unknown("new axes in an unknown shape")
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    rank = len(shape) + count
    axes = check_axes(axis, rank, error)
    if is_unknown(axes):
        return axes
    sizes = []
    taken = 0
    for position in range(rank):
        if position in axes:
            sizes.append(1)
        else:
            sizes.append(shape[taken])
            taken += 1
    return tuple(sizes)


def missing_axis(first, shape):
    """What makes a vector fit to a matrix it is joined with."""
    if len(shape) > len(first):
        one, other, which = first, shape, "first"
    else:
        one, other, which = shape, first, "other"
    if len(other) != 2 or len(one) != 1:
        return None
    if proved(one[0] == other[1]):
        return f"as a row, [None], the {which} array has shape {(1, one[0])}"
    if proved(one[0] == other[0]):
        return f"as a column, [:, None], the {which} array has shape {(one[0], 1)}, to be joined along axis 1"
    return None


def join_shapes(shapes, axis, error, axis_error, what="concatenate"):
    """The shape of arrays joined along an existing axis."""
    require(len(shapes) > 0, error, "need at least one array to join", rule="concat-mismatch")
    for shape in shapes:
        if not has_rank(shape):
            return unknown("a join with an unknown shape")
    first = shapes[0]
    require(len(first) > 0, error, "arrays of rank 0 cannot be joined", rule="concat-mismatch")
    axis = check_axis(axis, len(first), axis_error, first)
    if is_unknown(axis):
        return axis
    total = first[axis]
    result = list(first)
    for place, shape in enumerate(shapes[1:]):
        if len(shape) != len(first):
            require(
                False,
                error,
                f"cannot {what} arrays of different ranks: {first} and {shape}",
                rule="concat-mismatch",
                help=missing_axis(first, shape),
            )
        for position in range(len(first)):
            if position == axis:
                total = total + shape[position]
            else:
                require(
                    shape[position] == first[position],
                    error,
                    f"cannot {what} along axis {axis}: shapes {first} and {shape} (array {place + 2}) "
                    f"differ on axis {position}: {first[position]} ≠ {shape[position]}",
                    rule="concat-mismatch",
                )
                if not is_constant(result[position]):
                    result[position] = shape[position]
    result[axis] = total
    return tuple(result)


def stack_shape(shapes, axis, error, axis_error):
    """The shape of equal shapes stacked along a new axis."""
    require(len(shapes) > 0, error, "need at least one array to stack", rule="concat-mismatch")
    for shape in shapes:
        if not has_rank(shape):
            return unknown("a stack with an unknown shape")
    first = shapes[0]
    for place, shape in enumerate(shapes[1:]):
        same_shape(
            first, shape, error, f"all arrays of a stack must have one shape: {first}, but array {place + 2} is {shape}"
        )
    axis = check_axis(axis, len(first) + 1, axis_error)
    if is_unknown(axis):
        return axis
    return first[:axis] + (len(shapes),) + first[axis:]


def same_shape(first, second, error, message, rule="concat-mismatch"):
    """Two shapes must be equal."""
    require(len(first) == len(second), error, message, rule=rule)
    for a, b in zip(first, second):
        require(a == b, error, message, rule=rule)


def replace_axis(shape, axis, size):
    """The shape with another size at one axis."""
    return shape[:axis] + (size,) + shape[axis + 1 :]


def drop_axis(shape, axis):
    """The shape without one axis."""
    return shape[:axis] + shape[axis + 1 :]


def smaller(a, b):
    """The lesser of two sizes, unknown when that is not decided."""
    if is_unknown(a) or is_unknown(b):
        return unknown("the smaller of unknown sizes")
    if proved(a <= b):
        return a
    if proved(b <= a):
        return b
    return unknown("the smaller of two sizes")


def larger(a, b):
    """The greater of two sizes, unknown when that is not decided."""
    if is_unknown(a) or is_unknown(b):
        return unknown("the larger of unknown sizes")
    if proved(a >= b):
        return a
    if proved(b >= a):
        return b
    return unknown("the larger of two sizes")


def element_count(shape):
    """How many elements a shape has; unknown when its rank is."""
    if not has_rank(shape):
        return unknown("the size of an unknown shape")
    return product(shape)


def with_ellipsis(equation):
    """An equation of `einsum` whose output keeps the ellipsis of the operands, and how many axes remain when what it
    stands for is summed up; None for them where the output has it, or there is none. NumPy refuses to sum it up."""
    operands, arrow, output = equation.partition("->")
    if arrow == "" or "..." not in operands or "..." in output:
        return equation, None
    return operands + "->..." + output, len(output.replace(" ", ""))
