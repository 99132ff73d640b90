"""Functions that join and split arrays, and `r_` and `c_`."""

from _pytrope import (
    alike,
    array,
    dtype_of,
    fresh,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    lifted,
    product,
    promote,
    require,
    shape_of,
    unknown,
)

from _shapes import as_index, as_sizes, check_axis, join_shapes, replace_axis, stack_shape

from ._array import ndarray, wrap
from ._convert import as_array_arg, sequence
from ._dtypes import strong
from ._types import dtype_name
from .creation import slice_dtype, slice_length
from .exceptions import AxisError
from .manipulation import atleast_1d, atleast_2d, atleast_3d


def common_dtype(arrays):
    """The dtype of arrays put together."""
    name = dtype_of(arrays[0])
    for one in arrays[1:]:
        other = dtype_of(one)
        if is_unknown(name) or is_unknown(other):
            return unknown("a common dtype")
        name = promote(name, other)
    return name


def joined(arrays, axis, dtype=None):
    """Arrays joined along an axis."""
    if axis is None:
        arrays = [one.ravel() for one in arrays]
        axis = 0
    if is_unknown(axis):
        return array(ndarray, unknown("a join along an unknown axis"), dtype_name(dtype, common_dtype(arrays)))
    shape = join_shapes([shape_of(one) for one in arrays], axis, ValueError, AxisError)
    if is_unknown(shape):
        return joined_in_part(arrays, axis)
    return array(ndarray, shape, dtype_name(dtype, common_dtype(arrays)))


def known_parts(arrays, raise_rank=None):
    """Of a list or tuple of known length, the items whose rank is known."""
    if is_unknown(arrays) or not isinstance(arrays, (list, tuple)) or not is_constant(len(arrays)):
        return []
    parts = [as_array_arg(one) for one in arrays]
    parts = [one for one in parts if not is_unknown(one) and has_rank(shape_of(one))]
    return parts if raise_rank is None else [raise_rank(one) for one in parts]


def joined_in_part(arrays, axis, raise_rank=None):
    """Arrays joined along an axis, of which some are not known. They have the rank of the others, and their sizes at
    every other axis."""
    known = known_parts(arrays, raise_rank)
    if len(known) == 0 or is_unknown(axis) or axis is None:
        return unknown_stack()
    shape = join_shapes([shape_of(known[0])], axis, ValueError, AxisError)
    if is_unknown(shape):
        return unknown_stack()
    return array(ndarray, replace_axis(shape, axis % len(shape), fresh("joined sizes")), unknown("a common dtype"))


def join_open_list(rows, axis, dtype, raise_rank=None):
    """Arrays joined along an axis, of which only the rank and not the number is known; there is at least one."""
    shape, own, count = rows
    if raise_rank is not None:
        shape = raise_rank(shape)
    rank = len(shape)
    if not is_constant(axis) or axis is None or not -rank <= axis < rank:
        # An empty list is another error than an axis that is not there: which of them comes is not known.
        return unknown_stack()
    # Items of one size make a multiple of it; the sizes of others are not known one by one.
    total = shape[axis] * count if is_constant(shape[axis]) else fresh("joined sizes")
    shape = tuple([total if place == axis % rank else size for place, size in enumerate(shape)])
    return array(ndarray, shape, dtype_name(dtype, own))


def refuse_axis(axis):
    """An array in the place of an axis: the arrays were not put into a list."""
    if is_array(axis, ndarray) and is_constant(shape_of(axis)) and product(shape_of(axis)) != 1:
        raise TypeError(f"an axis is an integer, not an array of shape {shape_of(axis)}; the arrays belong into a list")


def concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    refuse_axis(axis)
    rows = alike(arrays)
    if not is_unknown(rows):
        return join_open_list(rows, axis, dtype)
    given = arrays
    arrays = sequence(arrays)
    if is_unknown(arrays):
        return joined_in_part(given, axis)
    require(len(arrays) > 0, ValueError, "need at least one array to concatenate", rule="concat-mismatch")
    result = joined(arrays, axis, dtype)
    if out is not None:
        return out
    return result


concat = concatenate


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    refuse_axis(axis)
    rows = alike(arrays)
    if not is_unknown(rows):
        shape, own, count = rows
        rank = len(shape) + 1
        if not is_constant(axis) or not -rank <= axis < rank:
            return unknown_stack()
        return array(ndarray, shape[: axis % rank] + (count,) + shape[axis % rank :], dtype_name(dtype, own))
    given = arrays
    arrays = sequence(arrays)
    if is_unknown(arrays):
        known = known_parts(given)
        if len(known) == 0:
            return unknown_stack()
        # All arrays of a stack have one shape.
        shape = stack_shape([shape_of(known[0]) for _ in given], axis, ValueError, AxisError)
        return array(ndarray, shape, unknown("a common dtype"))
    require(len(arrays) > 0, ValueError, "need at least one array to stack", rule="concat-mismatch")
    shape = stack_shape([shape_of(one) for one in arrays], axis, ValueError, AxisError)
    if out is not None:
        return out
    return array(ndarray, shape, dtype_name(dtype, common_dtype(arrays)))


def raised(tup, raise_rank):
    """The arrays of a stack function, raised to the rank it works on."""
    arrays = sequence(tup)
    if is_unknown(arrays):
        return arrays
    require(len(arrays) > 0, ValueError, "need at least one array to stack", rule="concat-mismatch")
    result = []
    for one in arrays:
        one = raise_rank(one)
        if is_unknown(one):
            return one
        result.append(one)
    return result


def unknown_stack():
    """A stack of arrays that are not known."""
    return array(ndarray, unknown("a stack of unknown arrays"), unknown("a stack of unknown arrays"))


def vector_of(shape):
    return shape if len(shape) > 0 else (1,)


def rows_of(shape):
    return shape if len(shape) > 1 else (1,) + vector_of(shape)


def columns_of(shape):
    return shape if len(shape) > 1 else vector_of(shape) + (1,)


def vstack(tup, *, dtype=None, casting="same_kind"):
    rows = alike(tup)
    if not is_unknown(rows):
        return join_open_list(rows, 0, dtype, rows_of)
    arrays = raised(tup, atleast_2d)
    if is_unknown(arrays):
        return joined_in_part(tup, 0, atleast_2d)
    return joined(arrays, 0, dtype)


row_stack = vstack


def hstack(tup, *, dtype=None, casting="same_kind"):
    rows = alike(tup)
    if not is_unknown(rows):
        return join_open_list(rows, 0 if len(rows[0]) <= 1 else 1, dtype, vector_of)
    arrays = raised(tup, atleast_1d)
    if is_unknown(arrays):
        known = known_parts(tup, atleast_1d)
        if len(known) == 0:
            return unknown_stack()
        return joined_in_part(tup, 0 if len(shape_of(known[0])) == 1 else 1, atleast_1d)
    first = shape_of(arrays[0])
    if not has_rank(first):
        return unknown_stack()
    return joined(arrays, 0 if len(first) == 1 else 1, dtype)


def dstack(tup):
    arrays = raised(tup, atleast_3d)
    if is_unknown(arrays):
        return unknown_stack()
    return joined(arrays, 2)


def column_stack(tup):
    rows = alike(tup)
    if not is_unknown(rows):
        return join_open_list(rows, 1, None, columns_of)
    arrays = sequence(tup)
    if is_unknown(arrays):
        return unknown_stack()
    require(len(arrays) > 0, ValueError, "need at least one array to stack", rule="concat-mismatch")
    columns = []
    for one in arrays:
        shape = shape_of(one)
        if not has_rank(shape):
            return unknown_stack()
        if len(shape) == 0:
            one = array(ndarray, (1, 1), dtype_of(one))
        elif len(shape) == 1:
            one = array(ndarray, (shape[0], 1), dtype_of(one))
        columns.append(one)
    return joined(columns, 1)


def block_of(arrays, depth, rank):
    """A nested block joined from the innermost lists outwards; Unknown when a part is."""
    if not isinstance(arrays, list):
        one = as_array_arg(arrays)
        if is_unknown(one) or not has_rank(shape_of(one)):
            return unknown("a block of unknown arrays")
        shape = shape_of(one)
        return array(ndarray, (1,) * (rank - len(shape)) + shape, dtype_of(one))
    require(len(arrays) > 0, ValueError, "a block may not be empty", rule="concat-mismatch")
    parts = []
    for part in arrays:
        inner = block_of(part, depth - 1, rank)
        if is_unknown(inner):
            return inner
        parts.append(inner)
    return joined(parts, -depth)


def nesting(arrays):
    """How deep the lists of a block are nested."""
    if not isinstance(arrays, list) or len(arrays) == 0:
        return 0
    return 1 + nesting(arrays[0])


def deepest(arrays):
    """The highest rank in a block; None when one is not known."""
    if isinstance(arrays, list):
        highest = 0
        for part in arrays:
            inner = deepest(part)
            if inner is None:
                return None
            highest = max(highest, inner)
        return highest
    one = as_array_arg(arrays)
    if is_unknown(one) or not has_rank(shape_of(one)):
        return None
    return len(shape_of(one))


def block(arrays):
    if is_unknown(arrays):
        return arrays
    depth = nesting(arrays)
    highest = deepest(arrays)
    if highest is None or (isinstance(arrays, list) and not has_rank(arrays)):
        return unknown("a block of unknown arrays")
    return block_of(arrays, depth, max(depth, highest))


def clipped(place, size):
    """A place in an axis, as slices understand it."""
    if place < 0:
        return max(0, place + size)
    return min(place, size)


def cut(size, start, stop):
    """The length of a piece between two cuts."""
    if is_constant(size) and is_constant(start) and is_constant(stop):
        return max(0, clipped(stop, size) - clipped(start, size))
    return unknown("the size of a piece")


@lifted(as_array_arg, "ary")
def split_along(ary, sections, axis, equal):
    """The pieces of an array."""
    shape = shape_of(ary)
    if not has_rank(shape):
        return unknown("pieces of an unknown rank")
    given = as_index(sections) if is_array(sections) and shape_of(sections) == () else sections
    if isinstance(given, (list, tuple)) or is_array(given):
        one = check_axis(axis, len(shape), IndexError, shape)
        places = as_sizes(given)
        if is_unknown(one) or not has_rank(places):
            return unknown("pieces at unknown places")
        size = shape[one]
        bounds = [0] + list(places)
        pieces = []
        for position, start in enumerate(bounds):
            stop = bounds[position + 1] if position + 1 < len(bounds) else size
            if is_unknown(size):
                length = unknown("the size of a piece")
            else:
                length = cut(size, start, stop)
            pieces.append(array(ndarray, replace_axis(shape, one, length), dtype_of(ary)))
        return pieces
    if not is_constant(given) or not isinstance(given, int):
        return unknown("an unknown number of pieces")
    one = check_axis(axis, len(shape), IndexError, shape)
    if is_unknown(one):
        return one
    size = shape[one]
    if equal:
        if given == 0:
            raise ZeroDivisionError("integer modulo by zero")
        if not is_unknown(size):
            require(
                size % given == 0,
                ValueError,
                f"axis {one} of shape {shape} cannot be divided into {given} equal pieces",
                rule="shape-argument",
            )
    require(given > 0, ValueError, "the number of pieces must be larger than 0", rule="shape-argument")
    if is_unknown(size) or given > 256:
        return unknown("pieces of an unknown size")
    pieces = []
    for position in range(given):
        if equal:
            length = size // given
        elif is_constant(size):
            length = size // given + (1 if position < size % given else 0)
        else:
            length = unknown("the size of a piece")
        pieces.append(array(ndarray, replace_axis(shape, one, length), dtype_of(ary)))
    return pieces


def split(ary, indices_or_sections, axis=0):
    return split_along(ary, indices_or_sections, axis, True)


def array_split(ary, indices_or_sections, axis=0):
    return split_along(ary, indices_or_sections, axis, False)


@lifted(as_array_arg, "ary")
def ranked_split(ary, sections, least, axis):
    """`hsplit` and friends need a rank."""
    shape = shape_of(ary)
    if not has_rank(shape):
        return unknown("pieces of an unknown rank")
    require(
        len(shape) >= least,
        ValueError,
        f"this split needs at least rank {least}, not shape {shape}",
        rule="shape-argument",
    )
    return split_along(ary, sections, axis, True)


def vsplit(ary, indices_or_sections):
    return ranked_split(ary, indices_or_sections, 2, 0)


@lifted(as_array_arg, "ary", ranked=True)
def hsplit(ary, indices_or_sections):
    return ranked_split(ary, indices_or_sections, 1, 0 if len(shape_of(ary)) == 1 else 1)


def dsplit(ary, indices_or_sections):
    return ranked_split(ary, indices_or_sections, 3, 2)


@lifted(as_array_arg, "x", ranked=True)
def unstack(x, /, *, axis=0):
    shape = shape_of(x)
    one = check_axis(axis, len(shape), AxisError, shape)
    if is_unknown(one) or not is_constant(shape[one]) or shape[one] > 256:
        return unknown("an unknown number of pieces")
    return tuple([wrap(shape[:one] + shape[one + 1 :], dtype_of(x)) for _ in range(shape[one])])


class _Concatenator:
    """`r_` and `c_`: what is written between brackets is joined."""

    def __init__(self, columns):
        self.columns = columns

    def __getitem__(self, key):
        if not isinstance(key, tuple):
            key = (key,)
        if not has_rank(key):
            return unknown("a join of unknown arrays")
        arrays = []
        for one in key:
            if isinstance(one, str):
                return unknown("directives of r_ are not modelled")
            if isinstance(one, slice):
                if is_unknown(one.start) or is_unknown(one.stop) or is_unknown(one.step):
                    return unknown("a join of unknown arrays")
                one = array(ndarray, (slice_length(one),), slice_dtype(one))
            one = atleast_1d(one)
            if is_unknown(one) or not has_rank(shape_of(one)):
                return unknown("a join of unknown arrays")
            if self.columns and len(shape_of(one)) == 1:
                one = array(ndarray, (shape_of(one)[0], 1), dtype_of(one))
            arrays.append(one)
        return joined(arrays, -1 if self.columns else 0)


r_ = _Concatenator(False)
c_ = _Concatenator(True)


class _IndexExpression:
    """`s_` and `index_exp`: what is written between brackets, as an index."""

    def __init__(self, always_tuple):
        self.always_tuple = always_tuple

    def __getitem__(self, key):
        if self.always_tuple and not isinstance(key, tuple):
            return (key,)
        return key


s_ = _IndexExpression(False)
index_exp = _IndexExpression(True)
