"""Functions that change the shape of arrays."""

from _pytrope import (
    array,
    array_like,
    broadcast,
    call_back,
    dtype_of,
    has_rank,
    havoc,
    is_array,
    is_constant,
    is_unknown,
    lifted,
    product,
    promote,
    proved,
    refuted,
    require,
    reshape_shape,
    set_values,
    shape_of,
    unknown,
    values_of,
    view_of,
)

from _shapes import (
    as_index,
    as_sizes,
    check_axes,
    check_axis,
    check_sizes,
    element_count,
    expand_shape,
    permute_shape,
    replace_axis,
)

from ._array import _Array, ndarray, wrap
from ._convert import as_array_arg, lift_all
from ._dtypes import KINDS, mean_of, strong, sum_of
from ._layout import diagonal_shape, read_only
from ._selection import repeated_shape
from ._types import dtype_name
from .exceptions import AxisError


@lifted(as_array_arg, "a")
def reshape(a, /, shape, order="C", *, copy=None):
    return view_of(
        array(
            ndarray,
            reshape_shape(a, as_sizes(shape), any_negative=True),
            dtype_of(a),
            values_of(a) if order == "C" else None,
        ),
        a,
    )


@lifted(as_array_arg, "a")
def ravel(a, order="C"):
    return a.ravel(order)


@lifted(as_array_arg, "a")
def transpose(a, axes=None):
    if axes is None:
        return a.T
    if is_unknown(axes) or is_array(axes):
        axes = as_sizes(axes)
    if isinstance(axes, (tuple, list)) or is_unknown(axes):
        return a._like(permute_shape(shape_of(a), axes, AxisError), dtype_of(a))
    return a._like(permute_shape(shape_of(a), (axes,), AxisError), dtype_of(a))


permute_dims = transpose


@lifted(as_array_arg, "x")
def matrix_transpose(x, /):
    return x.mT


@lifted(as_array_arg, "a")
def squeeze(a, axis=None):
    return a.squeeze(axis)


@lifted(as_array_arg, "a")
def expand_dims(a, axis):
    return view_of(array(ndarray, expand_shape(shape_of(a), axis, AxisError), dtype_of(a)), a)


@lifted(as_array_arg, "a")
def swapaxes(a, axis1, axis2):
    return a.swapaxes(axis1, axis2)


def as_list(axis):
    """One axis or several, as a list."""
    if isinstance(axis, (tuple, list)):
        return list(axis)
    return [axis]


@lifted(as_array_arg, "a")
def moveaxis(a, source, destination):
    shape = shape_of(a)
    if not has_rank(shape):
        return array(ndarray, shape, dtype_of(a))
    come = check_axes(source, len(shape), AxisError, shape)
    go = check_axes(destination, len(shape), AxisError, shape)
    if is_unknown(come) or is_unknown(go):
        return array(ndarray, unknown("moved axes that are not known"), dtype_of(a))
    require(
        len(come) == len(go),
        ValueError,
        "source and destination of moveaxis must have the same number of axes",
        rule="axis-out-of-range",
    )
    order = [axis for axis in range(len(shape)) if axis not in come]
    for place, axis in sorted(zip(go, come)):
        order.insert(place, axis)
    return array(ndarray, tuple([shape[axis] for axis in order]), dtype_of(a))


@lifted(as_array_arg, "a")
def rollaxis(a, axis, start=0):
    shape = shape_of(a)
    if not has_rank(shape):
        return array(ndarray, shape, dtype_of(a))
    one = check_axis(axis, len(shape), AxisError, shape)
    start = (
        check_axis(start, len(shape) + 1, AxisError)
        if not (is_constant(start) and start < 0)
        else check_axis(start, len(shape), AxisError)
    )
    if is_unknown(one) or is_unknown(start):
        return array(ndarray, unknown("rolled axes that are not known"), dtype_of(a))
    if one < start:
        start = start - 1
    order = [axis for axis in range(len(shape)) if axis != one]
    order.insert(start, one)
    return array(ndarray, tuple([shape[axis] for axis in order]), dtype_of(a))


@lifted(as_array_arg, "m")
def unchanged(m, axis, least=0):
    """An array of the same shape, after checking its axes."""
    shape = shape_of(m)
    if has_rank(shape):
        if least > 0:
            require(
                len(shape) >= least,
                ValueError,
                f"this function needs at least rank {least}, not shape {shape}",
                rule="shape-argument",
            )
        if axis is not None:
            check_axes(axis, len(shape), AxisError, shape)
    return m._like(shape, dtype_of(m))


def flip(m, axis=None):
    result = unchanged(m, axis)
    if axis is None and not is_unknown(result) and has_rank(shape_of(result)) and len(shape_of(result)) == 0:
        return wrap((), dtype_of(result))
    return result


def flipud(m):
    return unchanged(m, None, 1)


def fliplr(m):
    return unchanged(m, None, 2)


@lifted(as_array_arg, "m")
def rot90(m, k=1, axes=(0, 1)):
    shape = shape_of(m)
    k = as_index(k)
    if not has_rank(shape) or not is_constant(k):
        return array(ndarray, unknown("an unknown rotation"), dtype_of(m))
    require(len(axes) == 2, ValueError, "rot90 needs two axes", rule="axis-out-of-range")
    first, second = axes
    if is_constant(first) and is_constant(second):
        require(
            first != second and abs(first - second) != len(shape),
            ValueError,
            f"the axes of a rotation must differ: {axes} for shape {shape}",
            rule="axis-out-of-range",
        )
        require(
            -len(shape) <= first and first < len(shape) and -len(shape) <= second and second < len(shape),
            ValueError,
            f"axes {axes} are out of range for shape {shape}",
            rule="axis-out-of-range",
        )
        sizes = list(shape)
        if k % 2 == 1:
            sizes[first], sizes[second] = sizes[second], sizes[first]
        return array(ndarray, tuple(sizes), dtype_of(m))
    return array(ndarray, unknown("an unknown rotation"), dtype_of(m))


@lifted(as_array_arg, "a")
def roll(a, shift, axis=None):
    shape = shape_of(a)
    if has_rank(shape) and axis is not None:
        if isinstance(axis, (tuple, list)):
            for one in axis:
                check_axis(one, len(shape), AxisError, shape)
        else:
            check_axis(axis, len(shape), AxisError, shape)
    return array(ndarray, shape, dtype_of(a))


def atleast(arys, rank):
    """Arrays raised to at least a rank, as the `atleast` functions do."""
    arrays = lift_all(arys)
    if is_unknown(arrays) or not has_rank(arys):
        return unknown("an unknown argument")
    result = []
    for a in arrays:
        shape = shape_of(a)
        if not has_rank(shape):
            result.append(array(ndarray, unknown("an unknown rank"), dtype_of(a)))
        elif len(shape) >= rank:
            result.append(a if is_array(a, ndarray) else array(ndarray, shape, dtype_of(a)))
        elif rank == 1 or len(shape) == 0:
            result.append(view_of(array(ndarray, (1,) * rank, dtype_of(a), values_of(a)), a))
        elif rank == 2:
            result.append(view_of(array(ndarray, (1,) + shape, dtype_of(a), values_of(a)), a))
        elif len(shape) == 1:
            result.append(view_of(array(ndarray, (1, shape[0], 1), dtype_of(a), values_of(a)), a))
        else:
            result.append(view_of(array(ndarray, shape + (1,), dtype_of(a), values_of(a)), a))
    if len(result) == 1:
        return result[0]
    return tuple(result)


def atleast_1d(*arys):
    return atleast(arys, 1)


def atleast_2d(*arys):
    return atleast(arys, 2)


def atleast_3d(*arys):
    return atleast(arys, 3)


@lifted(as_array_arg, "array_")
def broadcast_to(array_, shape, subok=False):
    target = as_sizes(shape)
    if not has_rank(target) or not has_rank(shape_of(array_)):
        return read_only(array(ndarray, target, dtype_of(array_)))
    check_sizes(target)
    broadcast(target, shape_of(array_), out=target)
    return read_only(array(ndarray, target, dtype_of(array_)))


def broadcast_arrays(*args, subok=False):
    arrays = lift_all(args)
    if is_unknown(arrays) or not has_rank(args):
        return unknown("broadcasting of unknown arrays")
    shape = broadcast(*[shape_of(a) for a in arrays])
    return tuple([array(ndarray, shape, dtype_of(a)) for a in arrays])


def broadcast_shapes(*args):
    shapes = [as_sizes(one) for one in args]
    for shape in shapes:
        if not has_rank(shape):
            return unknown("a broadcast of unknown shapes")
    return broadcast(*shapes)


@lifted(as_array_arg, "A")
def tile(A, reps):
    if isinstance(reps, str):
        return unknown("a text in the place of counts")
    counts = as_sizes(reps)
    shape = shape_of(A)
    if not has_rank(counts) or not has_rank(shape):
        return array(ndarray, unknown("an unknown tiling"), dtype_of(A))
    rank = max(len(counts), len(shape))
    shape = (1,) * (rank - len(shape)) + shape
    counts = (1,) * (rank - len(counts)) + counts
    return array(
        ndarray,
        tuple(
            [
                unknown("a tiled size") if is_unknown(size) or is_unknown(count) else size * count
                for size, count in zip(shape, counts)
            ]
        ),
        dtype_of(A),
    )


@lifted(as_array_arg, "a")
def repeat(a, repeats, axis=None):
    return array(ndarray, repeated_shape(shape_of(a), repeats, axis), dtype_of(a))


def pad_widths(pad_width, rank):
    """The widths before and after each axis; Unknown when they are not known."""
    given, name, values = array_like(pad_width)
    if is_unknown(given) or not has_rank(given) or values is None:
        return unknown("widths of padding")
    if not is_unknown(name):
        require(
            KINDS[strong(name)] in "iu",
            TypeError,
            f"widths of padding must be integers, not {name}",
            rule="shape-argument",
        )
    for value in values:
        require(value >= 0, ValueError, "widths of padding may not be negative", rule="shape-argument")
    if len(given) == 0 or given == (1,) or given == (1, 1):
        return [(values[0], values[0])] * rank
    if given == (2,) or given == (1, 2):
        return [(values[0], values[1])] * rank
    if given == (2, 1):
        if rank == 2:
            return [(values[0], values[0]), (values[1], values[1])]
    if len(given) == 2 and given[1] == 1 and given[0] == rank:
        return [(value, value) for value in values]
    require(
        len(given) == 2 and given[0] == rank and given[1] == 2,
        ValueError,
        f"widths of shape {given} do not fit an array of rank {rank}",
        rule="shape-argument",
    )
    return [(values[2 * axis], values[2 * axis + 1]) for axis in range(rank)]


PAD_MODES = (
    "constant",
    "edge",
    "linear_ramp",
    "maximum",
    "mean",
    "median",
    "minimum",
    "reflect",
    "symmetric",
    "wrap",
    "empty",
)


@lifted(as_array_arg, "array_")
def pad(array_, pad_width, mode="constant", **kwargs):
    shape = shape_of(array_)
    if isinstance(pad_width, dict):
        return array(ndarray, unknown("widths of padding by axis"), dtype_of(array_))
    if not has_rank(shape):
        return array(ndarray, unknown("padding of an unknown shape"), dtype_of(array_))
    widths = pad_widths(pad_width, len(shape))
    if isinstance(mode, str) and is_constant(mode) and mode not in PAD_MODES:
        raise ValueError(f"mode '{mode}' of padding is not supported")
    if is_unknown(widths):
        return array(ndarray, tuple([unknown("a padded size") for _ in shape]), dtype_of(array_))
    sizes = []
    for size, (before, after) in zip(shape, widths):
        if (
            isinstance(mode, str)
            and mode not in ("constant", "empty")
            and is_constant(size)
            and size == 0
            and is_constant(before)
            and is_constant(after)
            and before + after > 0
        ):
            raise ValueError(f"cannot extend an empty axis of shape {shape} in mode '{mode}'")
        sizes.append(unknown("a padded size") if is_unknown(size) else size + before + after)
    return array(ndarray, tuple(sizes), dtype_of(array_))


@lifted(as_array_arg, "a")
def diagonal(a, offset=0, axis1=0, axis2=1):
    return a.diagonal(offset, axis1, axis2)


@lifted(as_array_arg, "a")
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    return a.trace(offset, axis1, axis2, dtype, out)


@lifted(as_array_arg, "a")
def resize(a, new_shape):
    target = as_sizes(new_shape)
    if has_rank(target):
        for size in target:
            if not is_unknown(size):
                require(size >= 0, ValueError, "sizes may not be negative", rule="shape-argument")
    return array(ndarray, target, dtype_of(a))


@lifted(as_array_arg, "arr", "values")
def append(arr, values, axis=None):
    from .joining import joined

    if axis is None:
        return joined([arr.ravel(), values.ravel()], 0)
    return joined([arr, values], axis)


def positions(obj, size):
    """How many different positions an index of `delete` names; Unknown when that is not known."""
    obj = as_index(obj) if is_array(obj) and has_rank(shape_of(obj)) and len(shape_of(obj)) == 0 else obj
    if isinstance(obj, slice):
        if is_constant(size) and is_constant(obj.start) and is_constant(obj.stop) and is_constant(obj.step):
            return len(list(range(size))[obj]) if size <= 256 else unknown("a number of deleted elements")
        return unknown("a number of deleted elements")
    if isinstance(obj, int) and not isinstance(obj, bool):
        require(
            -size <= obj and obj < size,
            IndexError,
            f"index {obj} is out of bounds for size {size}",
            rule="index-out-of-bounds",
        )
        return 1
    given, name, values = array_like(obj)
    if is_unknown(given) or values is None or is_unknown(name) or not is_constant(size):
        return unknown("a number of deleted elements")
    if len(values) == 0:
        return 0
    if name == "bool":
        require(
            len(values) == size,
            ValueError,
            f"a mask of {len(values)} elements does not fit size {size}",
            rule="shape-argument",
        )
        return len([value for value in values if value])
    seen = set()
    for value in values:
        if not isinstance(value, int) or not is_constant(value):
            return unknown("a number of deleted elements")
        require(
            -size <= value and value < size,
            IndexError,
            f"index {value} is out of bounds for size {size}",
            rule="index-out-of-bounds",
        )
        seen.add(value % size)
    return len(seen)


def along(a, axis):
    """The array, flat when there is no axis, and the axis from 0."""
    if axis is None:
        return a.ravel(), 0
    shape = shape_of(a)
    if not has_rank(shape):
        return a, unknown("an axis of an unknown rank")
    return a, check_axis(axis, len(shape), AxisError, shape)


@lifted(as_array_arg, "arr")
def delete(arr, obj, axis=None):
    arr, one = along(arr, axis)
    shape = shape_of(arr)
    if is_unknown(one):
        return array(ndarray, unknown("deletion along an unknown axis"), dtype_of(arr))
    size = shape[one]
    if is_unknown(size):
        return array(ndarray, shape, dtype_of(arr))
    gone = positions(obj, size)
    return array(
        ndarray,
        replace_axis(shape, one, unknown("a size after deletion") if is_unknown(gone) else size - gone),
        dtype_of(arr),
    )


@lifted(as_array_arg, "arr")
def insert(arr, obj, values, axis=None):
    arr, one = along(arr, axis)
    shape = shape_of(arr)
    if is_unknown(one):
        return array(ndarray, unknown("insertion along an unknown axis"), dtype_of(arr))
    size = shape[one]
    given, _, _ = array_like(values)
    if isinstance(obj, int) and not isinstance(obj, bool) and not is_unknown(size):
        require(
            -size <= obj and obj <= size,
            IndexError,
            f"index {obj} is out of bounds for size {size}",
            rule="index-out-of-bounds",
        )
        if len(shape) == 1 and has_rank(given) and len(given) == 0:
            return array(ndarray, replace_axis(shape, one, size + 1), dtype_of(arr))
    return array(ndarray, replace_axis(shape, one, unknown("a size after insertion")), dtype_of(arr))


def diff(a, n=1, axis=-1, prepend=None, append=None):
    a = as_array_arg(a)
    n = as_index(n)
    if is_unknown(a):
        return a
    if is_constant(n):
        if n == 0:
            return a
        if n < 0:
            raise ValueError(f"order of differences must be non-negative, not {n}")
    shape = shape_of(a)
    if not has_rank(shape):
        return array(ndarray, shape, dtype_of(a))
    require(len(shape) > 0, ValueError, "diff needs at least one dimension", rule="shape-argument")
    one = check_axis(axis, len(shape), AxisError, shape)
    if is_unknown(one):
        return array(ndarray, one, dtype_of(a))
    size = shape[one]
    for more in (prepend, append):
        if more is not None:
            given, _, _ = array_like(more)
            if is_unknown(given) or not has_rank(given) or is_unknown(size):
                size = unknown("a size that the elements decide")
            elif len(given) == 0:
                size = size + 1
            elif len(given) == len(shape):
                size = size + given[one]
            else:
                raise ValueError(f"prepended or appended values of shape {given} do not fit shape {shape}")
    if is_constant(size) and is_constant(n):
        size = max(0, size - n)
    elif not is_unknown(size) and is_constant(n) and proved(size >= n):
        size = size - n
    else:
        size = unknown("a size after differences")
    return array(ndarray, replace_axis(shape, one, size), dtype_of(a))


@lifted(as_array_arg, "ary")
def ediff1d(ary, to_end=None, to_begin=None):
    if to_end is not None or to_begin is not None:
        return array(ndarray, (unknown("a size that the elements decide"),), dtype_of(ary))
    return diff(ary.ravel())


@lifted(as_array_arg, "f")
def gradient(f, *varargs, axis=None, edge_order=1):
    shape = shape_of(f)
    if not has_rank(shape):
        return unknown("the gradient of an unknown rank")
    if axis is None:
        axes = list(range(len(shape)))
    else:
        axes = check_axes(axis, len(shape), AxisError, shape)
        if is_unknown(axes):
            return unknown("the gradient along unknown axes")
    if len(varargs) > 1:
        require(
            len(varargs) == len(axes),
            TypeError,
            f"{len(varargs)} spacings do not fit {len(axes)} axes",
            rule="shape-argument",
        )
    for place, one in enumerate(axes):
        spacing = None
        if len(varargs) == 1:
            spacing = varargs[0]
        elif len(varargs) > 1:
            spacing = varargs[place]
        if spacing is not None:
            given, _, _ = array_like(spacing)
            if has_rank(given) and len(given) == 1:
                require(
                    given[0] == shape[one],
                    ValueError,
                    f"{given[0]} coordinates do not fit size {shape[one]} along axis {one} of shape {shape}",
                    rule="shape-argument",
                )
    for one in axes:
        if not is_unknown(shape[one]):
            require(
                shape[one] >= 2,
                ValueError,
                f"a gradient needs at least 2 elements along axis {one}, shape is {shape}",
                rule="shape-argument",
            )
    result = [array(ndarray, shape, mean_of(dtype_of(f))) for _ in axes]
    if len(result) == 1:
        return result[0]
    return tuple(result)


def trim_zeros(filt, trim="fb", axis=None):
    return unknown("a size that depends on values")


def ndim(a):
    given, _, _ = array_like(a)
    if is_unknown(given):
        return unknown("the rank of an unknown array")
    return len(given)


def shape(a):
    given, _, _ = array_like(a)
    if is_unknown(given):
        return unknown("the shape of an unknown array")
    return given


def size(a, axis=None):
    given, _, _ = array_like(a)
    if is_unknown(given):
        return unknown("the size of an unknown array")
    if axis is None:
        return element_count(given)
    if not has_rank(given):
        return unknown("the size of an unknown rank")
    if isinstance(axis, tuple):
        return unknown("the size along several axes")
    one = as_index(axis)
    if not is_constant(one) or not isinstance(one, int):
        return unknown("the size along an unknown axis")
    require(
        -len(given) <= one and one < len(given),
        AxisError,
        f"axis {axis} is out of range for shape {given}",
        rule="axis-out-of-range",
    )
    return given[one]


@lifted(as_array_arg, "x")
def astype(x, dtype, /, *, copy=True, device=None):
    return x.astype(dtype)


def copyto(dst, src, casting="same_kind", where=True):
    if is_array(dst, ndarray):
        given, _, _ = array_like(src)
        if has_rank(shape_of(dst)) and not is_unknown(given):
            broadcast(shape_of(dst), given, out=shape_of(dst))
        set_values(dst, None)


def fill_diagonal(a, val, wrap=False):
    if is_array(a, ndarray):
        shape = shape_of(a)
        if has_rank(shape):
            require(
                len(shape) >= 2,
                ValueError,
                f"fill_diagonal needs at least rank 2, not shape {shape}",
                rule="shape-argument",
            )
            if len(shape) > 2:
                for side in shape[1:]:
                    require(
                        side == shape[0],
                        ValueError,
                        f"all sides must have equal length, not {shape}",
                        rule="linalg-not-square",
                    )
        set_values(a, None)


def put(a, ind, v, mode="raise"):
    if is_array(a):
        set_values(a, None)


def place(arr, mask, vals):
    if is_array(arr):
        set_values(arr, None)


def putmask(a, mask, values):
    if is_array(a):
        set_values(a, None)


def put_along_axis(arr, indices, values, axis):
    if is_array(arr):
        set_values(arr, None)


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    a = as_array_arg(arr)
    if is_unknown(a) or not has_rank(shape_of(a)) or is_unknown(func1d):
        havoc(func1d)
        return unknown("a function applied along an axis")
    shape = shape_of(a)
    one = check_axis(axis, len(shape), AxisError, shape)
    if is_unknown(one):
        havoc(func1d)
        return unknown("a function applied along an axis")
    row = as_array_arg(call_back(func1d, array(ndarray, (shape[one],), dtype_of(a)), *args, **kwargs))
    if is_unknown(row) or not has_rank(shape_of(row)):
        return unknown("a function applied along an axis")
    return array(ndarray, shape[:one] + shape_of(row) + shape[one + 1 :], dtype_of(row))


def apply_over_axes(func, a, axes):
    return unknown("a function applied over axes")


def unravel_index(indices, shape, order="C"):
    if isinstance(shape, str):
        return unknown("indices for a text")
    given, _, values = array_like(indices)
    sizes = as_sizes(shape)
    if is_unknown(given) or not has_rank(sizes):
        return unknown("unravelled indices")
    count = product(sizes)
    if values is not None and not is_unknown(count):
        for value in values:
            if isinstance(value, int):
                require(
                    0 <= value and value < count,
                    ValueError,
                    f"index {value} is out of bounds for shape {sizes}",
                    rule="index-out-of-bounds",
                )
    return tuple([wrap(given, "int64") for _ in sizes])


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    return unknown("a flat index")


def iterable(y):
    return unknown("whether an object is iterable")


def isscalar(element):
    if is_array(element, ndarray):
        return (
            False
            if has_rank(shape_of(element)) and len(shape_of(element)) > 0
            else unknown("whether an object is a scalar")
        )
    if isinstance(element, (list, tuple, dict)):
        return False
    if isinstance(element, (int, float, complex, str)):
        return True
    return unknown("whether an object is a scalar")


def shares_memory(a, b, /, max_work=-1):
    return unknown("whether arrays share memory")


def may_share_memory(a, b, /, max_work=0):
    return unknown("whether arrays share memory")
