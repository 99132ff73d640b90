"""Subscripts and the operations that take indices."""

from _pytrope import (
    broadcast,
    dtype_of,
    fresh,
    is_constant,
    is_unknown,
    lifted,
    product,
    proved,
    refuted,
    require,
    shape_of,
    unknown,
    values_of,
)

from . import _dtypes
from ._elementwise import ordered
from ._layout import lying, noted_slices, selected, strides_of
from ._make import axis, is_tensor, ranked, same_dtype, same_rank, tensor, tensor_arg, unranked, with_rank
from ._origin import written
from ._reach import carried, require_rows, unbounded
from ._values import forget, mark_noncontiguous, part, shared, viewed
from ._versions import IS_NEW, IS_OLD, by_release


def getitem(x, index):
    shape = indexed(x, index)
    if isinstance(index, int) and is_constant(index) and ranked(x) and len(shape_of(x)) == 1:
        known = values_of(x)
        if known is not None:
            return shared(x, tensor(shape, dtype_of(x), (known[index],)))
    made = part(x, shape)
    if _takes_all(index):
        carried(made, x)
    if not ranked(x) and is_unknown(shape):
        more = axes_added(index)
        if more is not None:
            made = shared(x, with_rank(x, more, dtype_of(x)))
    if not isinstance(index, tuple) and not x._is_noncontiguous:
        return noted_slices(x, index, made)
    return selected(x, index, made) if ranked(x) and ranked(made) else mark_noncontiguous(made)


def _takes_all(index):
    """Whether a subscript only adds dimensions."""
    for each in index if isinstance(index, tuple) else (index,):
        if is_unknown(each):
            return False
        is_whole = isinstance(each, slice) and each.start is None and each.stop is None and each.step is None
        if each is not None and each is not Ellipsis and not is_whole:
            return False
    return True


def axes_added(index):
    """How many dimensions a subscript adds to those of the tensor, whatever these are; None where that depends."""
    if is_unknown(index):
        return None
    parts = index if isinstance(index, tuple) else (index,)
    if not is_constant(len(parts)):
        return None
    more = 0
    for part in parts:
        if is_unknown(part) or is_tensor(part) or isinstance(part, bool):
            return None
        if part is None:
            more += 1
        elif isinstance(part, int):
            more -= 1
        elif part is not Ellipsis and not isinstance(part, slice):
            return None
    return more


def setitem(x, index, value):
    if value is None or isinstance(value, (list, tuple, str)):
        raise TypeError(f"a {type(value).__name__} cannot be stored in a tensor")
    shape = indexed(x, index)
    forget(x)
    unbounded(x)
    if is_unknown(shape) or not is_tensor(value) or not ranked(value):
        return
    own = shape_of(value)
    _one_type_by_index(x, index, value)
    # Leading dimensions of size 1 of the value are dropped when it has too many.
    while len(own) > len(shape) and proved(own[0] == 1):
        own = own[1:]
    if len(own) > len(shape) and not is_constant(own[: len(own) - len(shape)]):
        return
    message = f"a value of shape {shape_of(value)} does not fit the place of shape {shape}"
    require(len(own) <= len(shape), RuntimeError, message, rule="store-mismatch")
    for k in range(1, len(own) + 1):
        require(own[-k] == shape[-k] or own[-k] == 1, RuntimeError, message, rule="store-mismatch")


def _one_type_by_index(x, index, value):
    """Elements that tensors and lists select are replaced by elements of the same type; a single one is converted."""
    if not IS_NEW or len(shape_of(value)) == 0 or is_unknown(dtype_of(x)) or is_unknown(dtype_of(value)):
        return
    parts = index if isinstance(index, tuple) else (index,)
    for part in parts:
        if not is_unknown(part) and (is_tensor(part) or isinstance(part, list)):
            message = f"elements of {dtype_of(value)} are written by an index into a tensor of {dtype_of(x)}"
            require(dtype_of(x) == dtype_of(value), RuntimeError, message, rule="store-mismatch")
            return


def indexed(x, index):
    """The shape of `x[index]`; numbers are taken first, as PyTorch does, then tensors and lists together."""
    if is_unknown(index) or not ranked(x):
        return unknown("the index or the rank is not known")
    parts = index if isinstance(index, tuple) else (index,)
    if not is_constant(len(parts)):
        return unknown("the index is not known")
    taken = 0
    dots = 0
    for part in parts:
        if is_unknown(part):
            return unknown("the index is not known")
        if part is Ellipsis:
            dots += 1
        elif part is None or isinstance(part, bool):
            pass
        elif isinstance(part, slice):
            if is_constant(part.step) and part.step is not None:
                require(part.step > 0, ValueError, f"slice step must be positive, not {part.step}")
            taken += 1
        elif is_tensor(part):
            if not ranked(part) or is_unknown(dtype_of(part)):
                return unknown("the index is not known")
            taken += len(shape_of(part)) if dtype_of(part) in ("bool", "uint8") else 1
        else:
            taken += 1
    shape = shape_of(x)
    require(
        taken <= len(shape),
        IndexError,
        f"too many indices ({taken}) for a tensor of shape {shape}",
        rule="too-many-indices",
    )
    return _walk(shape, parts, taken, dots)


def _walk(shape, parts, taken, dots):
    """Result dimensions in order; tensors leave a hole that the broadcast of all of them fills."""
    result = []
    advanced = []
    holes = []
    at = 0
    for part in parts:
        if part is Ellipsis:
            for _ in range(len(shape) - taken):
                result.append(shape[at])
                at += 1
            taken = len(shape)
        elif part is None:
            result.append(1)
        elif isinstance(part, bool):
            holes.append(len(result))
            advanced.append((1 if part else 0,))
        elif isinstance(part, slice):
            result.append(_sliced(shape[at], part))
            at += 1
        elif is_tensor(part):
            if dtype_of(part) in ("bool", "uint8"):
                mask = shape_of(part)
                for k in range(len(mask)):
                    require(
                        mask[k] == shape[at + k],
                        IndexError,
                        f"a mask of shape {mask} does not fit a tensor of shape {shape} at dim {at + k}",
                    )
                at += len(mask)
                advanced.append((selected_count(part),))
            else:
                # PyTorch 1.13 refuses int32, later ones take it.
                require(
                    dtype_of(part) in ("int64", "int32"),
                    IndexError,
                    "tensors used as indices must hold integers, bool or uint8",
                )
                _reachable(part, shape[at], proved_empty(shape))
                if IS_NEW and ranked(part) and not [size for size in shape_of(part) if not proved(size > 0)]:
                    if not [size for size in shape[:at] + shape[at + 1 :] if not proved(size > 0)]:
                        require(
                            shape[at] != 0,
                            IndexError,
                            f"there is nothing to select along dim {at} of size 0",
                            rule="index-out-of-bounds",
                        )
                advanced.append(shape_of(part))
                at += 1
            holes.append(len(result))
        elif isinstance(part, int):
            size = shape[at]
            require(
                -size <= part and part < size,
                IndexError,
                f"index {part} is out of bounds for dim {at} of size {size}",
                rule="index-out-of-bounds",
            )
            at += 1
        elif isinstance(part, (list, tuple, range)):
            listed = _listed(part)
            if is_unknown(listed):
                return unknown("the index is not known")
            for place in part:
                if isinstance(place, int) and not isinstance(place, bool):
                    size = shape[at]
                    require(
                        -size <= place and place < size,
                        IndexError,
                        f"index {place} is out of bounds for dim {at} of size {size}",
                        rule="index-out-of-bounds",
                    )
            advanced.append(listed)
            holes.append(len(result))
            at += 1
        elif isinstance(part, (float, str)):
            raise (IndexError if isinstance(part, float) else TypeError)(
                "only integers, slices, ..., None and tensors are indices"
            )
        else:
            return unknown("the index is not known")
    while at < len(shape):
        result.append(shape[at])
        at += 1
    if len(advanced) == 0:
        return tuple(result)
    joined = broadcast(*advanced, error=IndexError)
    if is_unknown(joined):
        return joined
    first = holes[0]
    for hole in holes:
        if hole != first:
            first = 0
    return tuple(result[:first]) + tuple(joined) + tuple(result[first:])


def selected_count(mask):
    """How many elements a mask selects."""
    known = values_of(mask)
    if known is None or is_unknown(known):
        return fresh("selected")
    return len([each for each in known if each])


def _listed(items):
    """The shape of a list used as an index."""
    from _pytrope import nested_shape

    if not is_constant(items):
        return unknown("the index is not known")
    for item in items:
        if isinstance(item, bool):
            return unknown("a list of bools is a mask")
    return nested_shape(list(items))[0]


def _reachable(index, size, may_be_empty=False, error=IndexError):
    """Known elements of an index lie in the dimension."""
    known = values_of(index)
    if known is None or is_unknown(known):
        if not may_be_empty:
            require_rows(index, size)
        return
    for place in known:
        if not may_be_empty:
            require(
                -size <= place and place < size,
                error,
                f"index {place} is out of bounds for a dimension of size {size}",
                rule="index-out-of-bounds",
            )


def _sliced(size, part):
    """How many elements a slice takes."""
    start = part.start
    stop = part.stop
    step = 1 if part.step is None else part.step
    if is_unknown(start) or is_unknown(stop) or is_unknown(step):
        return fresh("sliced")
    require(step > 0, ValueError, f"slice step must be positive, not {step}")
    if start is None and stop is None and step == 1:
        return size
    first = 0 if start is None else _within(start, size)
    last = size if stop is None else _within(stop, size)
    if first is None or last is None:
        return fresh("sliced")
    length = last - first
    if proved(length <= 0):
        return 0
    if proved(length >= 0):
        return (length + step - 1) // step
    return fresh("sliced")


def _within(place, size):
    """A slice bound moved into 0..size; None when that is not decided."""
    if proved(place >= 0):
        if proved(place <= size):
            return place
        return size if proved(place >= size) else None
    if proved(place < 0):
        if proved(place + size >= 0):
            return place + size
        return 0 if proved(place + size <= 0) else None
    return None


def one_axis_less(x, *others):
    return with_rank(x, -1, dtype_of(x))


@lifted(viewed, "input", known=("dim", "index"), ranked=True, otherwise=one_axis_less)
def select(input, dim, index):
    shape = shape_of(input)
    require(len(shape) > 0, IndexError, "select needs at least one dimension")
    place = axis(dim, len(shape))
    size = shape[place]
    require(
        -size <= index and index < size,
        IndexError,
        f"index {index} is out of bounds for dim {dim} of size {size}",
        rule="index-out-of-bounds",
    )
    made = tensor(shape[:place] + shape[place + 1 :], dtype_of(input))
    strides = strides_of(input)
    return made if strides is None else lying(made, strides[:place] + strides[place + 1 :])


@lifted(viewed, "input")
def narrow(input, dim, start, length):
    if not ranked(input) or is_unknown(dim) or is_unknown(start) or is_unknown(length) or is_tensor(start):
        return same_rank(input)
    shape = shape_of(input)
    require(len(shape) > 0, RuntimeError, "narrow needs at least one dimension")
    place = axis(dim, len(shape))
    size = shape[place]
    require(length >= 0, RuntimeError, f"narrow needs a length that is not negative, not {length}")
    require(
        -size <= start and start <= size,
        IndexError,
        f"narrow starts at {start}, outside a dimension of size {size}",
        rule="index-out-of-bounds",
    )
    begin = start + size if start < 0 else start
    require(
        begin + length <= size,
        RuntimeError,
        f"narrow takes {length} elements from {start} on, but the dimension has size {size}",
        rule="index-out-of-bounds",
    )
    return lying(tensor(shape[:place] + (length,) + shape[place + 1 :], dtype_of(input)), strides_of(input))


@lifted(tensor_arg, "input", "index", known=("dim",), ranked=True, otherwise=same_rank)
def index_select(input, dim, index, *, out=None):
    shape = shape_of(input)
    place = axis(dim, len(shape))
    _integers(index)
    require(
        len(shape_of(index)) <= 1, IndexError, f"index_select needs a vector of indices, not shape {shape_of(index)}"
    )
    count = shape_of(index)[0] if len(shape_of(index)) == 1 else 1
    if len(shape) == 0:
        if not IS_NEW:
            return unknown("releases differ on scalars")
        require(count == 1, RuntimeError, f"index_select takes one element from a scalar, not {count}")
        return tensor((), dtype_of(input))
    # A kernel of its own takes rows of matrices inside, and raises another class.
    _reachable(index, shape[place], error=RuntimeError if place == 1 and len(shape) <= 3 else IndexError)
    return tensor(shape[:place] + (count,) + shape[place + 1 :], dtype_of(input))


def _integers(index):
    if not is_unknown(dtype_of(index)):
        require(
            dtype_of(index) in ("int64", "int32"),
            RuntimeError,
            f"indices must be int64 or int32, not {dtype_of(index)}",
        )


@lifted(tensor_arg, "input", "index")
def gather(input, dim, index, *, sparse_grad=False, out=None):
    if ranked(input) and ranked(index) and not is_unknown(dim):
        shape = shape_of(input)
        place = axis(dim, len(shape))
        own = shape_of(index)
        if not is_unknown(dtype_of(index)) and not proved_empty(own):
            require(dtype_of(index) == "int64", RuntimeError, "gather takes int64 indices")
        if not proved_empty(own):
            require(
                max(len(own), 1) == max(len(shape), 1),
                RuntimeError,
                f"gather from shape {shape} with an index of shape {own}: the ranks differ",
            )
            if len(own) == len(shape):
                for k in range(len(shape)):
                    if k != place:
                        require(
                            own[k] <= shape[k],
                            RuntimeError,
                            f"gather from shape {shape} with an index of shape {own}: {own[k]} > {shape[k]} at dim {k}",
                        )
                if len(shape) > 0:
                    require_rows(index, shape[place])
                    not_from_nothing(shape, place, own)
    return tensor(shape_of(index), dtype_of(input))


def not_from_nothing(shape, place, own):
    """There is no element to take from a dimension of size 0."""
    if IS_NEW and not [size for size in own if not proved(size > 0)]:
        require(
            shape[place] != 0,
            RuntimeError,
            f"an index of shape {own} into a dimension of size 0 of shape {shape}",
            rule="index-out-of-bounds",
        )


def proved_empty(shape):
    for size in shape:
        if proved(size == 0):
            return True
    return False


@lifted(tensor_arg, "input", "indices", known=("dim",), ranked=True, otherwise=same_dtype)
def take_along_dim(input, indices, dim=None, *, out=None):
    if dim is None:
        from _pytrope import product

        return tensor((product(shape_of(indices)),), dtype_of(input))
    shape = shape_of(input)
    own = shape_of(indices)
    if not is_unknown(dtype_of(indices)):
        require(dtype_of(indices) == "int64", RuntimeError, "take_along_dim takes int64 indices")
    require(
        len(own) == len(shape),
        RuntimeError,
        f"take_along_dim from shape {shape} with indices of shape {own}: the ranks differ",
    )
    place = axis(dim, len(shape))
    if len(shape) == 0:
        if IS_NEW:
            require(False, IndexError, "a scalar has no dimension to take along", rule="axis-out-of-range")
        return tensor((), dtype_of(input))
    rest = broadcast(
        shape[:place] + (1,) + shape[place + 1 :], own[:place] + (1,) + own[place + 1 :], error=RuntimeError
    )
    not_from_nothing(shape, place, own)
    return tensor(rest[:place] + (own[place],) + rest[place + 1 :], dtype_of(input))


@lifted(tensor_arg, "input")
def scatter(input, dim, index, src=None, *, value=None, reduce=None, out=None):
    _scatter_fits(input, dim, tensor_arg(index, "index"), src)
    return tensor(shape_of(input), dtype_of(input))


def scatter_(self, dim, index, src=None, *, value=None, reduce=None):
    _scatter_fits(self, dim, tensor_arg(index, "index"), src)
    forget(self)
    return self


def _scatter_fits(x, dim, index, src):
    kind = dtype_of(index)
    if not is_unknown(kind) and not (ranked(index) and proved_empty(shape_of(index))):
        allowed = ("int64",) if IS_OLD else ("int64", "int32")
        require(kind in allowed, RuntimeError, f"an index must be int64, not {kind}", rule="bad-operand")
    if is_tensor(src) and not is_unknown(dtype_of(x)) and not is_unknown(dtype_of(src)):
        message = f"scatter of {dtype_of(src)} into {dtype_of(x)}: the element types differ"
        require(dtype_of(x) == dtype_of(src), RuntimeError, message, rule="bad-operand")
    if not ranked(x) or not ranked(index) or is_unknown(dim):
        return
    shape = shape_of(x)
    own = shape_of(index)
    place = axis(dim, len(shape))
    if proved_empty(own):
        return
    message = f"scatter into shape {shape} with an index of shape {own}"
    if is_tensor(src) and ranked(src) and len(own) == len(shape) and len(shape_of(src)) != len(own):
        _scatter_other_rank(shape, own, shape_of(src), place, message)
        return
    require(max(len(own), 1) == max(len(shape), 1), RuntimeError, message + ": the ranks differ")
    if len(own) != len(shape):
        return
    for k in range(len(shape)):
        if k != place:
            require(own[k] <= shape[k], RuntimeError, message + f": {own[k]} > {shape[k]} at dim {k}")
    if is_tensor(src) and ranked(src):
        given_shape = shape_of(src)
        require(
            max(len(given_shape), 1) == max(len(own), 1),
            RuntimeError,
            message + f" from a source of shape {given_shape}: the ranks differ",
        )
        if len(given_shape) == len(own):
            for k in range(len(own)):
                require(
                    own[k] <= given_shape[k],
                    RuntimeError,
                    message + f" from a source of shape {given_shape}: {own[k]} > {given_shape[k]} at dim {k}",
                )


def _scatter_other_rank(shape, own, given, place, message):
    """A source of another rank is refused; sizes are compared first, dimension by dimension."""
    message = message + f" from a source of shape {given}"
    for k in range(len(own)):
        if k != place:
            require(own[k] <= shape[k], RuntimeError, message)
        if k >= len(given):
            if len(given) == 0:
                return
            if not proved(own[k - 1] <= given[k - 1]):
                return
            raise IndexError(message + f": it has no dim {k}")
        if refuted(own[k] <= given[k]):
            raise RuntimeError(message + f": {own[k]} > {given[k]} at dim {k}")
    require(False, RuntimeError, message + ": the ranks differ")


@lifted(tensor_arg, "input", "index", "source")
def index_add(input, dim, index, source, *, alpha=1, out=None):
    if ranked(input) and ranked(index) and not is_unknown(dim):
        axis(dim, len(shape_of(input)))
        require(len(shape_of(index)) <= 1, IndexError, "the index must be a vector")
    if ranked(input) and ranked(source) and ranked(index) and is_constant(dim) and len(shape_of(input)) > 0:
        if len(shape_of(source)) != len(shape_of(input)) and not IS_NEW:
            return unknown("releases differ on ranks that differ")
        require(
            len(shape_of(source)) == len(shape_of(input)),
            RuntimeError,
            f"index_add of a source of shape {shape_of(source)} into shape {shape_of(input)}: the ranks differ",
        )
        place = axis(dim, len(shape_of(input)))
        count = shape_of(index)[0] if len(shape_of(index)) == 1 else 1
        message = (
            f"index_add along dim {dim} of a source of shape {shape_of(source)} "
            f"with {count} indices into shape {shape_of(input)}"
        )
        require(count == shape_of(source)[place], RuntimeError, message)
        for k in range(len(shape_of(input))):
            if k != place:
                require(shape_of(source)[k] == shape_of(input)[k], RuntimeError, message)
    return tensor(shape_of(input), dtype_of(input))


@lifted(tensor_arg, "input")
def index_copy(input, dim, index, source, *, out=None):
    if ranked(input) and not is_unknown(dim):
        place = axis(dim, len(shape_of(input)))
        chosen, given = tensor_arg(index, "index"), tensor_arg(source, "source")
        if ranked(chosen) and ranked(given) and len(shape_of(input)) > 0:
            own, shape = shape_of(given), shape_of(input)
            message = (
                f"index_copy of a source of shape {own} by an index of shape {shape_of(chosen)} into shape {shape}"
            )
            require(len(shape_of(chosen)) <= 1, IndexError, message + ": the index must be a vector")
            require(len(own) == len(shape) or len(own) == 0, IndexError, message + ": the ranks differ")
            if len(own) == len(shape):
                for k in range(len(shape)):
                    if k != place:
                        require(own[k] == shape[k], RuntimeError, message)
                if len(shape_of(chosen)) == 1:
                    require(own[place] == shape_of(chosen)[0], IndexError, message)
    return tensor(shape_of(input), dtype_of(input))


@lifted(tensor_arg, "input")
def index_put(input, indices, values, accumulate=False):
    return tensor(shape_of(input), dtype_of(input))


@lifted(tensor_arg, "input", "index")
def index_fill(input, dim, index, value):
    if ranked(input) and not is_unknown(dim):
        axis(dim, len(shape_of(input)))
    if IS_NEW and not is_unknown(dtype_of(index)):
        require(dtype_of(index) in ("int64", "int32"), IndexError, "index_fill takes integers as indices")
    if ranked(index):
        require(
            len(shape_of(index)) <= 1,
            RuntimeError,
            f"index_fill needs a vector of indices, not shape {shape_of(index)}",
        )
    return tensor(shape_of(input), dtype_of(input))


def written_by_index_add(self, dim, index, source, *, alpha=1):
    index_add(self, dim, index, source)
    return written(self)


def written_by_index_fill(self, dim, index, value):
    index_fill(self, dim, index, value)
    return written(self)


def written(self, *args, **kwargs):
    forget(self)
    return self


def take(input, index):
    chosen = tensor_arg(index, "index")
    if not is_unknown(dtype_of(chosen)) and is_tensor(index):
        require(dtype_of(chosen) == "int64", RuntimeError, "take needs int64 indices")
    given = tensor_arg(input)
    if ranked(given):
        count = product(shape_of(given))
        _reachable(chosen, count)
        if ranked(chosen) and not [size for size in shape_of(chosen) if not proved(size > 0)]:
            require(count != 0, IndexError, "there is nothing to take from an empty tensor")
    return tensor(shape_of(chosen), dtype_of(tensor_arg(input)))


@lifted(tensor_arg, "input", "mask")
def masked_select(input, mask, *, out=None):
    broadcast(shape_of(input), shape_of(mask), error=RuntimeError)
    return tensor((fresh("selected"),), dtype_of(input))


@lifted(tensor_arg, "input")
def nonzero(input, *, as_tuple=False, out=None):
    if not ranked(input) or is_unknown(as_tuple):
        return unknown("the rank is not known") if as_tuple else unranked("int64")
    count = fresh("nonzero")
    if as_tuple:
        return tuple([tensor((count,), "int64") for _ in range(max(1, len(shape_of(input))))])
    return tensor((count, len(shape_of(input))), "int64")


def argwhere(input):
    return nonzero(input)


@lifted(tensor_arg, "input", known=("return_inverse", "return_counts"))
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    count = fresh("unique")
    ordered(input, "unique")
    if dim is None:
        values = tensor((count,), dtype_of(input))
    elif ranked(input) and not is_unknown(dim):
        place = axis(dim, len(shape_of(input)))
        values = tensor(shape_of(input)[:place] + (count,) + shape_of(input)[place + 1 :], dtype_of(input))
    else:
        values = unranked(dtype_of(input))
    if not return_inverse and not return_counts:
        return values
    found = [values]
    if return_inverse:
        found.append(tensor(shape_of(input), "int64") if dim is None else unranked("int64"))
    if return_counts:
        found.append(tensor((count,), "int64"))
    return tuple(found)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    return unique(input, True, return_inverse, return_counts, dim)


@lifted(tensor_arg, "sorted_sequence")
def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None, out=None):
    dtype = "int64" if not out_int32 else "int32"
    if not is_tensor(input):
        if IS_NEW and ranked(sorted_sequence) and isinstance(input, (int, float)):
            own = shape_of(sorted_sequence)
            require(len(own) == 1, RuntimeError, f"searchsorted of a number takes a vector, not shape {own}")
        return tensor((), dtype) if isinstance(input, (int, float)) else unranked(dtype)
    if ranked(sorted_sequence) and ranked(input):
        own = shape_of(sorted_sequence)
        require(len(own) > 0, RuntimeError, "searchsorted needs at least one dimension")
        if len(own) > 1:
            message = (
                f"searchsorted of values of shape {shape_of(input)} in a sequence of shape {own}: "
                "all but the last dimension are equal"
            )
            require(len(shape_of(input)) == len(own), RuntimeError, message)
            for k in range(len(own) - 1):
                require(shape_of(input)[k] == own[k], RuntimeError, message)
    ordered(input, "searchsorted")
    return tensor(shape_of(input), dtype)


@lifted(tensor_arg, "boundaries")
def bucketize(input, boundaries, *, out_int32=False, right=False, out=None):
    if ranked(boundaries):
        require(
            len(shape_of(boundaries)) == 1,
            RuntimeError,
            f"bucketize needs a vector of boundaries, not shape {shape_of(boundaries)}",
        )
    dtype = "int64" if not out_int32 else "int32"
    if not is_tensor(input):
        return tensor((), dtype) if isinstance(input, (int, float)) else unranked(dtype)
    ordered(input, "bucketize")
    return tensor(shape_of(input), dtype)


def triangle_indices(row, col, offset=0, *, dtype=None, device=None, layout=None):
    """tril_indices and triu_indices."""
    return tensor((2, fresh("pairs")), _dtypes.name(dtype, "int64"))


class Indexing:
    """Subscripts of Tensor, and its methods that take indices."""

    def __getitem__(self, index):
        return getitem(self, index)

    def __setitem__(self, index, value):
        setitem(self, index, value)
        if self._origin is not None:
            written(self)

    select = select
    narrow = narrow
    index_select = index_select
    gather = gather
    take_along_dim = take_along_dim
    scatter = scatter
    scatter_ = scatter_
    scatter_add = scatter
    scatter_add_ = scatter_
    index_add = index_add
    index_copy = index_copy
    index_put = index_put
    index_fill = index_fill
    index_add_ = written_by_index_add
    index_fill_ = written_by_index_fill
    take = take
    masked_select = masked_select
    nonzero = nonzero
    argwhere = argwhere
    unique = unique
