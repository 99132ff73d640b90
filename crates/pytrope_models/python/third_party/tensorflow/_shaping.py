"""tf functions that make, rearrange, join and select."""

from _pytrope import (
    dtype_of,
    fresh,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    product,
    require,
    reshape_shape,
    shape_of,
    unknown,
    values_of,
)

from _shapes import expand_shape, join_shapes, permute_shape

from ._dtypes import float32, written
from ._make import (
    shown,
    all_constant,
    axis_of,
    converted,
    is_tensor,
    like,
    misfit,
    opened,
    operands,
    ranked,
    same_dtype,
    same_size,
    tensor,
)


def sizes_of(shape):
    """A shape argument; Unknown when its length is not known, a fresh size for each size that is not."""
    if is_unknown(shape):
        return unknown("an unknown shape")
    if isinstance(shape, int):
        return (shape,)
    if is_array(shape):
        values = values_of(shape)
        given = shape_of(shape)
        if values is not None and is_constant(values):
            return tuple(values)
        if has_rank(given) and len(given) == 1 and is_constant(given[0]) and given[0] < 16:
            return tuple([fresh("size") for _ in range(given[0])])
        return unknown("an unknown shape")
    return opened(shape)


def filled(shape, dtype):
    sizes = sizes_of(shape)
    if is_unknown(sizes):
        return unknown("a tensor of unknown shape")
    return tensor(sizes, dtype)


def zeros(shape, dtype=float32, name=None, layout=None):
    return filled(shape, written(dtype))


def ones(shape, dtype=float32, name=None, layout=None):
    return filled(shape, written(dtype))


def fill(dims, value, name=None, layout=None):
    made = converted(value)
    return filled(dims, unknown("the dtype") if is_unknown(made) else dtype_of(made))


def zeros_like(input, dtype=None, name=None, layout=None):
    x = converted(input)
    if is_unknown(x):
        return unknown("like an unknown tensor")
    return like([x], shape_of(x), written(dtype, dtype_of(x)))


def ones_like(input, dtype=None, name=None, layout=None):
    return zeros_like(input, dtype)


def eye(num_rows, num_columns=None, batch_shape=None, dtype=float32, name=None):
    if is_unknown(num_rows) or is_unknown(num_columns) or batch_shape is not None:
        return unknown("an identity of unknown size")
    return tensor((num_rows, num_rows if num_columns is None else num_columns), written(dtype))


def constant(value, dtype=None, shape=None, name="Const"):
    made = converted(value, written(dtype))
    if is_unknown(made):
        return unknown("a constant of an unknown value")
    if shape is None:
        return tensor(shape_of(made), written(dtype, dtype_of(made)), values_of(made))
    sizes = sizes_of(shape)
    if is_unknown(sizes):
        return unknown("a constant of unknown shape")
    return tensor(sizes, written(dtype, dtype_of(made)))


def convert_to_tensor(value, dtype=None, dtype_hint=None, name=None):
    made = converted(value, written(dtype))
    if is_unknown(made) or dtype_hint is not None:
        return unknown("a tensor of an unknown value")
    return made if is_array(value) and dtype is None else like([made], shape_of(made), dtype_of(made), values_of(made))


def range_(start, limit=None, delta=1, dtype=None, name="range"):
    if limit is None:
        start, limit = 0, start
    given = written(dtype)
    for bound in (start, limit, delta):
        if is_unknown(bound) or is_array(bound) or not isinstance(bound, int) or not is_constant(bound):
            return tensor((fresh("length"),), given if given is not None else unknown("the dtype of a range"))
    if delta == 0:
        return unknown("a range without steps")
    return tensor((len(range(start, limit, delta)),), "int32" if given is None else given)


def linspace(start, stop, num, name=None, axis=0):
    if is_array(start) or is_array(stop) or is_unknown(num) or is_unknown(start) or not isinstance(num, int):
        return unknown("a linspace of unknown length")
    return tensor((num,), unknown("the dtype of a linspace"))


def cast(x, dtype, name=None):
    made = converted(x)
    if is_unknown(made):
        return unknown("a cast of an unknown value")
    return like([made], shape_of(made), written(dtype))


def identity(input, name=None):
    made = converted(input)
    return like([made], shape_of(made), dtype_of(made)) if is_array(made) else unknown("an unknown value")


def reshape(tensor, shape, name=None):
    x = converted(tensor)
    sizes = sizes_of(shape)
    if is_unknown(x):
        return unknown("a reshape of an unknown tensor")
    if is_unknown(sizes) or not has_rank(sizes):
        return like([x], unknown("an unknown shape"), dtype_of(x))
    if 0 in sizes and -1 in sizes:
        return like([x], unknown("the shape of a missing value"), dtype_of(x))
    if ranked(x) and all_constant(shape_of(x)) and all_constant(sizes):
        return like([x], reshape_shape(x, sizes, error=misfit(x)), dtype_of(x), values_of(x))
    return like([x], open_reshape(x, sizes), dtype_of(x))


def open_reshape(x, sizes):
    """A reshape where sizes are not known: -1 is not computed."""
    made = []
    for size in sizes:
        made.append(fresh("size") if is_constant(size) and size < 0 else size)
    return tuple(made)


def transpose(a, perm=None, conjugate=False, name="transpose"):
    x = converted(a)
    if is_unknown(x) or not ranked(x) or is_unknown(perm):
        return unknown("a transposition of an unknown tensor")
    shape = shape_of(x)
    if perm is None:
        return like([x], shape[::-1], dtype_of(x))
    if is_array(perm):
        perm = values_of(perm)
    if perm is None or not isinstance(perm, (tuple, list)) or not is_constant(tuple(perm)):
        return unknown("a transposition by unknown axes")
    return like([x], permute_shape(shape, tuple(perm), misfit(x), misfit(x)), dtype_of(x))


def expand_dims(input, axis, name=None):
    x = converted(input)
    if is_unknown(x) or not ranked(x):
        return unknown("a new axis in an unknown tensor")
    rank = len(shape_of(x))
    place = axis_of(axis, rank + 1, misfit(x))
    if is_unknown(place):
        return unknown("a new axis at an unknown place")
    return like([x], expand_shape(shape_of(x), place, misfit(x)), dtype_of(x))


def squeeze(input, axis=None, name=None):
    x = converted(input)
    if is_unknown(x) or not ranked(x) or is_unknown(axis):
        return unknown("a squeeze of an unknown tensor")
    shape = shape_of(x)
    if axis is None:
        if not all_constant(shape):
            return unknown("a squeeze of sizes that are not known")
        return like([x], tuple([size for size in shape if size != 1]), dtype_of(x))
    axes = axis if isinstance(axis, (tuple, list)) else [axis]
    places = []
    for one in axes:
        place = axis_of(one, len(shape), misfit(x))
        if is_unknown(place):
            return unknown("a squeeze along an unknown axis")
        if is_constant(shape[place]):
            require(
                shape[place] == 1,
                misfit(x),
                f"axis {place} of shape {shown(shape)} has size {shape[place]}, only size 1 can be squeezed out",
            )
        places.append(place)
    return like([x], tuple([size for at, size in enumerate(shape) if at not in places]), dtype_of(x))


def tensors_of(values):
    """The tensors of a list; Unknown when one of them is, or their number. What is no tensor takes the type of the
    first tensor, else of the first value: `tf.concat([np.arange(2), [3, 4]], 0)` is int64."""
    if is_unknown(values) or is_array(values) or not isinstance(values, (list, tuple)) or not has_rank(values):
        return unknown("a list of tensors that is not known")
    dtype = None
    for value in values:
        if dtype is None and is_array(value) and is_tensor(value):
            dtype = dtype_of(value)
    found = []
    for value in values:
        x = converted(value, dtype)
        if is_unknown(x) or not ranked(x):
            return unknown("a list with an unknown tensor")
        if dtype is None:
            dtype = dtype_of(x)
        found.append(x)
    return found


def concat(values, axis, name="concat"):
    xs = tensors_of(values)
    if is_unknown(xs) or len(xs) == 0:
        return unknown("a concatenation of unknown tensors")
    if len(xs) == 1:
        return like(xs, shape_of(xs[0]), dtype_of(xs[0]))
    shapes = [shape_of(x) for x in xs]
    same = [same_dtype(xs[0], x) for x in xs[1:]]
    return like(xs, joined(shapes, axis, misfit(*xs)), dtype_of(xs[0]))


def joined(shapes, axis, error):
    """Shapes joined along an axis; sizes that are not known are not compared."""
    constant_sizes = True
    for shape in shapes:
        if not all_constant(shape):
            constant_sizes = False
    if constant_sizes:
        if len(shapes[0]) == 0:
            return unknown("a concatenation of scalars")
        return join_shapes(shapes, axis, error, error)
    first = shapes[0]
    place = axis_of(axis, len(first), error)
    if is_unknown(place):
        return unknown("a concatenation along an unknown axis")
    total = first[place]
    sizes = list(first)
    for shape in shapes[1:]:
        require(
            len(shape) == len(first),
            error,
            f"cannot concatenate tensors of different ranks: {first} and {shown(shape)}",
            rule="concat-mismatch",
        )
        for at in range(len(first)):
            if at == place:
                total = total + shape[at]
            else:
                require(
                    same_size(first[at], shape[at]),
                    error,
                    f"cannot concatenate along axis {place}: {shown(first)} and {shown(shape)} differ on axis {at}: "
                    f"{first[at]} ≠ {shape[at]}",
                    rule="concat-mismatch",
                )
                if not is_constant(sizes[at]):
                    sizes[at] = shape[at]
    sizes[place] = total if is_constant(total) else fresh("size")
    return tuple(sizes)


def stack(values, axis=0, name="stack"):
    xs = tensors_of(values)
    if is_unknown(xs) or len(xs) == 0:
        return unknown("a stack of unknown tensors")
    first = shape_of(xs[0])
    for x in xs[1:]:
        shape = shape_of(x)
        message = f"all tensors of a stack have one shape: {first} and {shown(shape)}"
        require(len(shape) == len(first), misfit(*xs), message, rule="concat-mismatch")
        for a, b in zip(first, shape):
            require(same_size(a, b), misfit(*xs), message, rule="concat-mismatch")
    place = axis_of(axis, len(first) + 1, ValueError)
    if is_unknown(place):
        return unknown("a stack along an unknown axis")
    return like(xs, first[:place] + (len(xs),) + first[place:], dtype_of(xs[0]))


def unstack(value, num=None, axis=0, name="unstack"):
    x = converted(value)
    if is_unknown(x) or not ranked(x) or num is not None or len(shape_of(x)) == 0:
        return unknown("the parts of an unknown tensor")
    place = axis_of(axis, len(shape_of(x)), ValueError)
    if is_unknown(place) or not is_constant(shape_of(x)[place]) or shape_of(x)[place] > 64:
        return unknown("the parts of an unknown tensor")
    rest = shape_of(x)[:place] + shape_of(x)[place + 1 :]
    return [like([x], rest, dtype_of(x)) for _ in range(shape_of(x)[place])]


def split(value, num_or_size_splits, axis=0, num=None, name="split"):
    x = converted(value)
    if is_unknown(x) or not ranked(x) or is_unknown(num_or_size_splits) or len(shape_of(x)) == 0:
        return unknown("the parts of an unknown tensor")
    shape = shape_of(x)
    place = axis_of(axis, len(shape), misfit(x))
    if is_unknown(place):
        return unknown("the parts along an unknown axis")
    size = shape[place]
    if isinstance(num_or_size_splits, int) and is_constant(num_or_size_splits):
        if num_or_size_splits < 1 or num_or_size_splits > 64:
            return unknown("many parts")
        if is_constant(size):
            require(
                size % num_or_size_splits == 0,
                misfit(x),
                f"axis {place} of size {size} cannot be split into {num_or_size_splits} equal parts",
                rule="shape-argument",
            )
            part = size // num_or_size_splits
        else:
            part = fresh("size")
        parts = [part] * num_or_size_splits
    elif isinstance(num_or_size_splits, (list, tuple)) and is_constant(tuple(num_or_size_splits)):
        parts = list(num_or_size_splits)
        for part in parts:
            if not isinstance(part, int) or part < 0:
                return unknown("pieces of which one takes the remainder")
        if is_constant(size):
            require(
                sum(parts) == size,
                misfit(x),
                f"parts of {parts} do not add up to axis {place} of size {size}",
                rule="shape-argument",
            )
    else:
        return unknown("parts of unknown size")
    return [like([x], shape[:place] + (part,) + shape[place + 1 :], dtype_of(x)) for part in parts]


def tile(input, multiples, name=None):
    x = converted(input)
    times = sizes_of(multiples)
    if is_unknown(x) or not ranked(x) or is_unknown(times):
        return unknown("a tiling of an unknown tensor")
    shape = shape_of(x)
    if len(times) != len(shape):
        require(
            False, misfit(x), f"{len(times)} multiples do not fit a tensor of rank {len(shape)}", rule="shape-argument"
        )
    return like([x], tuple([size * count for size, count in zip(shape, times)]), dtype_of(x))


def repeat(input, repeats, axis=None, name=None):
    x = converted(input)
    if is_unknown(x) or not ranked(x) or axis is None or not isinstance(repeats, int) or is_array(repeats):
        return unknown("a repetition of an unknown tensor")
    if len(shape_of(x)) == 0:
        return unknown("a repetition of an unknown tensor")
    place = axis_of(axis, len(shape_of(x)), ValueError) if is_constant(axis) else unknown("an axis")
    if is_unknown(place):
        return unknown("a repetition along an unknown axis")
    shape = shape_of(x)
    return like([x], shape[:place] + (shape[place] * repeats,) + shape[place + 1 :], dtype_of(x))


def broadcast_to(input, shape, name=None):
    x = converted(input)
    sizes = sizes_of(shape)
    if is_unknown(x) or is_unknown(sizes):
        return unknown("a broadcast of an unknown tensor")
    return like([x], sizes, dtype_of(x))


def pad(tensor, paddings, mode="CONSTANT", constant_values=0, name=None):
    x = converted(tensor)
    if is_unknown(x) or not ranked(x) or is_unknown(paddings) or is_array(paddings):
        return unknown("a padding of an unknown tensor")
    if not isinstance(paddings, (list, tuple)) or not has_rank(paddings):
        return unknown("an unknown padding")
    shape = shape_of(x)
    require(
        len(paddings) == len(shape),
        misfit(x),
        f"{len(paddings)} pairs of paddings for a tensor of shape {shape}",
        rule="shape-argument",
    )
    sizes = []
    for size, pair in zip(shape, paddings):
        if is_unknown(pair) or not isinstance(pair, (list, tuple)) or len(pair) != 2:
            return unknown("an unknown padding")
        sizes.append(size + pair[0] + pair[1])
    return like([x], tuple(sizes), dtype_of(x))


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    x, where = converted(params), converted(indices)
    if is_unknown(x) or is_unknown(where) or not ranked(x) or not ranked(where) or not is_constant(batch_dims):
        return unknown("a selection from an unknown tensor")
    if batch_dims != 0 or len(shape_of(x)) == 0:
        return unknown("a selection in batches")
    place = axis_of(0 if axis is None else axis, len(shape_of(x)), misfit(x))
    if is_unknown(place):
        return unknown("a selection along an unknown axis")
    shape = shape_of(x)
    return like([x, where], shape[:place] + shape_of(where) + shape[place + 1 :], dtype_of(x))


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    x = converted(indices)
    if is_unknown(x) or not ranked(x) or is_unknown(depth) or is_array(depth) or axis is not None:
        return unknown("a one-hot code of unknown shape")
    if on_value is not None or off_value is not None:
        return like([x], shape_of(x) + (depth,), unknown("the dtype of the values"))
    return like([x], shape_of(x) + (depth,), written(dtype, "float32"))


def where(condition, x=None, y=None, name=None):
    if x is None or y is None:
        return unknown("the places where a condition holds")
    a, b = operands(x, y)
    test = converted(condition)
    if is_unknown(a) or is_unknown(b) or is_unknown(test):
        return unknown("a choice between unknown tensors")
    from ._make import broadcast_sizes

    shape = broadcast_sizes(a, b)
    if is_unknown(shape) or not has_rank(shape):
        return unknown("a choice between unknown tensors")
    return like([a, b, test], broadcast_sizes(tensor(shape), test), dtype_of(a))


def shape(input, out_type=None, name=None):
    x = converted(input)
    if is_unknown(x) or not ranked(x):
        return unknown("the shape of an unknown tensor")
    sizes = shape_of(x)
    values = (
        list(sizes) if all_constant(sizes) else [size if is_constant(size) else unknown("a size") for size in sizes]
    )
    return tensor((len(sizes),), "int32", values)


def rank(input, name=None):
    x = converted(input)
    return tensor((), "int32", [len(shape_of(x))]) if ranked(x) else unknown("a rank")


def size(input, out_type=None, name=None):
    x = converted(input)
    if ranked(x) and all_constant(shape_of(x)):
        return tensor((), "int32", [product(shape_of(x))])
    return unknown("a number of elements")


def reverse(tensor, axis, name=None):
    return identity(tensor)


def roll(input, shift, axis, name=None):
    return identity(input)
