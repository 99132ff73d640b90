"""Views, permutations, expansions: the elements stay, their arrangement changes."""

from _pytrope import (
    count_axes,
    dtype_of,
    is_assuming,
    is_constant,
    is_unknown,
    lifted,
    product,
    proved,
    require,
    reshape_shape,
    set_shape,
    shape_of,
    unknown,
)

from . import _dtypes
from ._make import (
    alike,
    axes,
    axis,
    is_tensor,
    of_rank,
    ranked,
    require_rank,
    same_dtype,
    same_rank,
    sizes,
    tensor,
    tensor_arg,
    unranked,
    with_rank,
)
from ._layout import (
    arranged,
    is_row_major,
    in_row_major,
    lying,
    noted_reshape,
    noted_view,
    regrouped,
    strides_of,
    with_neighbours,
)
from ._values import mark_noncontiguous, view, viewed
from ._versions import IS_NEW, IS_OLD, by_release


@lifted(tensor_arg, "input")
def reshape(input, *shape, **named):
    if "shape" in named:
        shape = (named["shape"],)
    if "size" in named:
        shape = (named["size"],)
    if "dtype" in named:
        shape = (named["dtype"],)
    if not is_constant(len(shape)):
        return _regrouped_as(input, shape)
    if len(shape) == 0:
        raise TypeError("reshape needs the new sizes")
    if len(shape) == 1 and not is_unknown(shape[0]) and isinstance(shape[0], type):
        # A type of Python stands for a data type.
        return unranked(_dtypes.name(shape[0], dtype_of(viewed(input))))
    if len(shape) == 1 and isinstance(shape[0], _dtypes.dtype):
        return _reinterpreted(input, shape[0])
    target = sizes(shape)
    if is_unknown(target):
        return unranked(dtype_of(viewed(input)))
    return _regrouped_as(input, target)


def _regrouped_as(x, target):
    if isinstance(target, (tuple, list)) and not is_constant(len(target)):
        return count_axes(unranked(dtype_of(viewed(x))), target)
    return noted_reshape(x, view(x, reshape_shape(shape_of(x), target, error=RuntimeError)))


def _reinterpreted(x, dtype):
    """`x.view(dtype)`: only the case of equal widths keeps the shape."""
    own = _dtypes.value(dtype_of(viewed(x)))
    if not is_unknown(own) and own.bits == dtype.bits:
        return tensor(shape_of(x), dtype.name)
    return unranked(dtype.name)


@lifted(tensor_arg, "input")
def reshape_to(input, shape):
    """torch.reshape: the sizes are one argument."""
    if is_unknown(shape):
        return unranked(dtype_of(viewed(input)))
    if isinstance(shape, int):
        raise TypeError("torch.reshape takes the new shape as a tuple")
    return _regrouped_as(input, shape)


@lifted(tensor_arg, "input")
def flatten(input, start_dim=0, end_dim=-1):
    if is_unknown(start_dim) or is_unknown(end_dim):
        return unranked(dtype_of(viewed(input)))
    if not ranked(input):
        return _flattened(viewed(input), start_dim, end_dim)
    shape = shape_of(input)
    start = axis(start_dim, len(shape), "start_dim")
    end = axis(end_dim, len(shape), "end_dim")
    require(start <= end, RuntimeError, f"start_dim {start_dim} comes after end_dim {end_dim}")
    if len(shape) == 0:
        return view(input, (1,))
    return noted_reshape(input, view(input, shape[:start] + (product(shape[start : end + 1]),) + shape[end + 1 :]))


def _flattened(x, start, end):
    """Of an open rank: dimensions counted from one end leave as many as there are before and behind them."""
    if not is_constant(start) or not is_constant(end):
        return unranked(dtype_of(x))
    if start >= 0 and end == -1:
        # The result's rank says nothing of the input's, which is kept apart where both meet.
        same_rank(x)
        return of_rank(start + 1, dtype_of(x))
    if (start < 0) == (end < 0):
        return with_rank(x, start - end, dtype_of(x))
    return unranked(dtype_of(x))


@lifted(tensor_arg, "input")
def ravel(input):
    return view(input, (product(shape_of(input)),))


@lifted(tensor_arg, "input")
def unflatten(input, dim, sizes, names=None):
    if not ranked(input) or is_unknown(dim) or is_unknown(sizes):
        if is_unknown(sizes) or not is_constant(len(sizes)):
            return unranked(dtype_of(viewed(input)))
        return with_rank(viewed(input), len(sizes) - 1, dtype_of(input))
    shape = shape_of(input)
    place = axis(dim, len(shape))
    if len(shape) == 0:
        raise by_release(IndexError, RuntimeError)("unflatten needs at least one dimension")
    if len(sizes) == 0:
        raise RuntimeError("unflatten needs at least one size")
    middle = reshape_shape((shape[place],), sizes, error=RuntimeError)
    return noted_reshape(input, view(input, shape[:place] + middle + shape[place + 1 :]))


@lifted(tensor_arg, "input")
def squeeze(input, dim=None):
    if not ranked(input) or is_unknown(dim):
        if is_assuming() and isinstance(dim, int):
            return with_rank(viewed(input), -1, dtype_of(input))
        return unranked(dtype_of(viewed(input)))
    shape = shape_of(input)
    if dim is None:
        return _without_ones(input, range(len(shape)))
    if isinstance(dim, (tuple, list)):
        return _without_ones(input, axes(dim, len(shape)))
    place = axis(dim, len(shape))
    if is_assuming() and len(shape) > 0 and not is_constant(shape[place]):
        # A dimension that is named is one that is to go.
        return view(input, shape[:place] + shape[place + 1 :])
    return _without_ones(input, [place] if len(shape) > 0 else [])


def _without_ones(x, places):
    """Drop the sizes that are 1; where a size may be 1 or not, the rank is open."""
    from _pytrope import refuted

    kept = []
    shape = shape_of(x)
    for k in range(len(shape)):
        if k not in places or refuted(shape[k] == 1):
            kept.append(shape[k])
        elif not proved(shape[k] == 1):
            return unranked(dtype_of(viewed(x)))
    made = view(x, tuple(kept))
    strides = strides_of(x)
    if strides is None or len(kept) == len(strides):
        return lying(made, strides)
    return lying(made, [strides[k] for k in range(len(shape)) if k not in places or not proved(shape[k] == 1)])


@lifted(tensor_arg, "input")
def unsqueeze(input, dim):
    if not ranked(input) or is_unknown(dim):
        return with_rank(viewed(input), 1, dtype_of(input))
    shape = shape_of(input)
    place = axis(dim, len(shape) + 1)
    made = view(input, shape[:place] + (1,) + shape[place:])
    if is_row_major(input):
        return in_row_major(made)
    strides = strides_of(input)
    return made if strides is None else lying(made, strides[:place] + (1,) + strides[place:])


@lifted(viewed, "input", known=("dim0", "dim1"), ranked=True, otherwise=same_rank)
def transpose(input, dim0, dim1):
    shape = shape_of(input)
    first = axis(dim0, len(shape))
    second = axis(dim1, len(shape))
    if len(shape) == 0:
        return tensor((), dtype_of(input))
    order = list(range(len(shape)))
    order[first] = second
    order[second] = first
    return arranged(input, order)


def swapaxes(input, axis0, axis1):
    return transpose(input, axis0, axis1)


@lifted(viewed, "input", known=("dims",), otherwise=same_rank)
def permute(input, dims):
    if not ranked(input):
        if not is_constant(len(dims)):
            return same_rank(input)
        require_rank(input, len(dims))
    shape = shape_of(input)
    require(
        len(dims) == len(shape),
        RuntimeError,
        f"permute names {len(dims)} dimensions of a tensor that has {len(shape)}: {shape}",
        rule="axis-out-of-range",
    )
    return arranged(input, axes(dims, len(shape)))


def _permute_method(self, *dims, **named):
    if "dims" in named:
        return permute(self, named["dims"])
    chosen = sizes(dims)
    return permute(self, chosen)


@lifted(viewed, "input", constant=("source", "destination"), ranked=True, otherwise=same_rank)
def movedim(input, source, destination):
    shape = shape_of(input)
    many = isinstance(source, (tuple, list)) and isinstance(destination, (tuple, list))
    require(not many or len(source) == len(destination), RuntimeError, "movedim needs as many sources as destinations")
    sources = axes(source if isinstance(source, (tuple, list)) else (source,), len(shape))
    targets = axes(destination if isinstance(destination, (tuple, list)) else (destination,), len(shape))
    require(len(sources) == len(targets), RuntimeError, "movedim needs as many sources as destinations")
    if len(shape) == 0:
        return tensor((), dtype_of(input))
    order = [None] * len(shape)
    for k in range(len(sources)):
        order[targets[k]] = sources[k]
    rest = [k for k in range(len(shape)) if k not in sources]
    taken = 0
    for k in range(len(shape)):
        if order[k] is None:
            order[k] = rest[taken]
            taken += 1
    return arranged(input, order)


@lifted(viewed, "input", ranked=True, otherwise=same_rank)
def t(input):
    shape = shape_of(input)
    require(
        len(shape) <= 2,
        RuntimeError,
        f"t() transposes a matrix, but this tensor has shape {shape}",
        rule="axis-out-of-range",
    )
    return arranged(input, list(range(len(shape)))[::-1])


@lifted(viewed, "input", ranked=True, otherwise=same_rank)
def reversed_dims(input):
    """`.T`"""
    return arranged(input, list(range(len(shape_of(input))))[::-1])


@lifted(viewed, "input", ranked=True, otherwise=same_rank)
def matrix_transposed(input):
    """`.mT`, which leaves a scalar as it is."""
    shape = shape_of(input)
    if len(shape) == 0:
        return tensor((), dtype_of(input))
    require(
        len(shape) >= 2,
        RuntimeError,
        f"mT needs at least two dimensions, but this tensor has shape {shape}",
        rule="axis-out-of-range",
    )
    return transpose(input, -2, -1)


@lifted(viewed, "input")
def adjoint(input):
    """`.adjoint()` leaves a scalar as it is."""
    if ranked(input) and len(shape_of(input)) == 0:
        return tensor((), dtype_of(input))
    return matrix_transposed(input)


@lifted(viewed, "input", ranked=True, otherwise=same_dtype)
def conjugate_transposed(input):
    """`.H`"""
    shape = shape_of(input)
    require(
        len(shape) in (0, 2),
        RuntimeError,
        f"H needs a matrix, but this tensor has shape {shape}",
        rule="axis-out-of-range",
    )
    return reversed_dims(input)


@lifted(viewed, "input")
def expand(input, *size, **named):
    if "size" in named:
        size = (named["size"],)
    target = sizes(size)
    return _expanded(input, target)


def broadcast_to(input, size):
    return _expanded(viewed(input), size)


def _expanded(x, target):
    if not ranked(x) or is_unknown(target) or not is_constant(len(target)):
        return unranked(dtype_of(x)) if is_unknown(target) or not is_constant(len(target)) else _sized(x, target)
    shape = shape_of(x)
    extra = len(target) - len(shape)
    require(
        extra >= 0,
        RuntimeError,
        f"expand to {tuple(target)} has fewer dimensions than the tensor of shape {shape}",
        rule="broadcast-mismatch",
    )
    result = []
    for k in range(len(target)):
        size = target[k]
        if k < extra:
            require(
                size >= 0,
                RuntimeError,
                f"expand cannot keep (-1) a dimension that the tensor of shape {shape} does not have",
                rule="broadcast-mismatch",
            )
            result.append(size)
        else:
            result.append(_expanded_size(shape, shape[k - extra], size, target))
    return _expanded_strides(x, mark_noncontiguous(tensor(tuple(result), dtype_of(x))))


def _expanded_strides(x, made):
    """Along what is expanded there is one element."""
    strides = strides_of(x)
    if strides is None or not is_constant(shape_of(made)):
        return made
    shape, new = shape_of(x), shape_of(made)
    extra = len(new) - len(shape)
    found = [0] * extra
    for k in range(len(shape)):
        found.append(strides[k] if shape[k] == new[k + extra] else 0)
    return lying(made, found)


def _expanded_size(shape, own, size, target):
    if proved(size == -1):
        return own
    if proved(size == own):
        return own
    if not is_constant(size):
        if proved(own == 1):
            return size
        if not proved(size >= 0):
            return unknown("the size may be -1")
    require(
        size == own or own == 1,
        RuntimeError,
        f"cannot expand shape {shape} to {tuple(target)}: size {own} cannot become {size}",
        rule="broadcast-mismatch",
    )
    return size


def _sized(x, target):
    """The result has as many dimensions as are asked for, and the sizes where they are not -1."""
    return tensor(tuple([size if proved(size >= 0) else unknown("a size") for size in target]), dtype_of(x))


def expand_as(self, other):
    return _expanded(self, shape_of(tensor_arg(other, "other")))


@lifted(tensor_arg, "input")
def repeat(input, *repeats, **named):
    if "repeats" in named:
        repeats = (named["repeats"],)
    times = sizes(repeats)
    if is_unknown(times) or not is_constant(len(times)):
        return unranked(dtype_of(input))
    if not ranked(input):
        return of_rank(len(times), dtype_of(input))
    shape = shape_of(input)
    require(
        len(times) >= len(shape),
        RuntimeError,
        f"repeat names {len(times)} dimensions of a tensor that has {len(shape)}: {shape}",
    )
    return tensor(_repeated(shape, times), dtype_of(input))


def _repeated(shape, times):
    extra = len(times) - len(shape)
    result = []
    for k in range(len(times)):
        require(times[k] >= 0, RuntimeError, f"repeat cannot be negative: {tuple(times)}")
        result.append(times[k] if k < extra else times[k] * shape[k - extra])
    return tuple(result)


@lifted(tensor_arg, "input")
def tile(input, *dims):
    times = sizes(dims)
    if not ranked(input) or is_unknown(times) or not is_constant(len(times)):
        return unranked(dtype_of(input))
    shape = shape_of(input)
    times = (1,) * (len(shape) - len(times)) + tuple(times) if len(times) < len(shape) else tuple(times)
    return tensor(_repeated(shape, times), dtype_of(input))


@lifted(tensor_arg, "input", known=("dim",), otherwise=same_dtype)
def repeat_interleave(input, repeats, dim=None, *, output_size=None):
    if not ranked(input):
        return of_rank(1, dtype_of(input)) if dim is None else same_rank(input)
    shape = shape_of(input)
    times = repeats if isinstance(repeats, int) else unknown("the repeats are not known")
    if dim is None:
        return tensor((product(shape) * times,) if not is_unknown(times) else (_any_size(),), dtype_of(input))
    if IS_NEW:
        require(len(shape) > 0, IndexError, "a scalar has no dimension to repeat along", rule="axis-out-of-range")
    place = axis(dim, len(shape))
    if (
        not is_unknown(repeats)
        and is_tensor(repeats)
        and ranked(repeats)
        and len(shape_of(repeats)) == 1
        and len(shape) > 0
    ):
        count = shape_of(repeats)[0]
        message = f"{count} repeats along dim {dim} of shape {shape}"
        require(count == 1 or count == shape[place], RuntimeError, message, rule="broadcast-mismatch")
    size = _any_size() if is_unknown(times) else shape[place] * times if len(shape) > 0 else times
    return tensor(shape[:place] + (size,) + shape[place + 1 :], dtype_of(input))


def _any_size():
    from _pytrope import fresh

    return fresh("repeated")


@lifted(tensor_arg, "input")
def roll(input, shifts, dims=None):
    if ranked(input) and is_constant(dims) and is_constant(shifts):
        shift_count = len(shifts) if isinstance(shifts, (tuple, list)) else 1
        places = () if dims is None else dims if isinstance(dims, (tuple, list)) else (dims,)
        if len(places) == 0:
            require(shift_count == 1, RuntimeError, f"roll has {shift_count} shifts for 0 dims")
        else:
            require(shift_count == len(places), RuntimeError, f"roll has {shift_count} shifts for {len(places)} dims")
            if proved(product(shape_of(input)) != 0):
                require(
                    len(shape_of(input)) > 0,
                    IndexError,
                    "a scalar has no dimension to roll along",
                    rule="axis-out-of-range",
                )
                for place in places:
                    axis(place, len(shape_of(input)))
    return tensor(shape_of(input), dtype_of(input)) if ranked(input) else alike(input, dtype_of(input))


@lifted(tensor_arg, "input")
def flip(input, *dims):
    chosen = sizes(dims)
    if ranked(input) and is_constant(chosen):
        axes(chosen, len(shape_of(input)))
    return tensor(shape_of(input), dtype_of(input)) if ranked(input) else alike(input, dtype_of(input))


@lifted(tensor_arg, "input", constant=("k", "dims"), ranked=True, otherwise=same_dtype)
def rot90(input, k=1, dims=(0, 1)):
    shape = shape_of(input)
    require(len(dims) == 2, RuntimeError, "rot90 needs two dims")
    require(len(shape) >= 2, RuntimeError, f"rot90 needs at least two dimensions, but this tensor has shape {shape}")
    for dim in dims:
        error = by_release(RuntimeError, IndexError)
        message = f"rot90 over dim {dim} of a tensor of shape {shape}"
        require(-len(shape) <= dim and dim < len(shape), error, message, rule="axis-out-of-range")
    first = axis(dims[0], len(shape))
    second = axis(dims[1], len(shape))
    require(first != second, RuntimeError, "rot90 needs two different dims")
    if k % 2 == 1:
        return transpose(input, first, second)
    return tensor(shape, dtype_of(input))


@lifted(viewed, "input", constant=("diagonal",), ranked=True, otherwise=same_dtype)
def diag(input, diagonal=0, *, out=None):
    shape = shape_of(input)
    require(
        1 <= len(shape) and len(shape) <= 2,
        RuntimeError,
        f"diag needs a vector or a matrix, but this tensor has shape {shape}",
    )
    if len(shape) == 1:
        size = shape[0] + abs(diagonal)
        return tensor((size, size), dtype_of(input))
    if is_constant(shape):
        size = _diagonal_length(shape[0], shape[1], diagonal)
        if IS_OLD:
            require(size >= 0, RuntimeError, f"diag {diagonal} lies outside a matrix of shape {shape}")
        elif size < 0:
            # PyTorch 1.13 refuses, later releases give nothing.
            size = 0
        return tensor((size,), dtype_of(input))
    return tensor((_any_size(),), dtype_of(input))


def _diagonal_length(rows, columns, offset):
    return min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns)


@lifted(viewed, "input", constant=("offset", "dim1", "dim2"), ranked=True, otherwise=same_dtype)
def diagonal(input, offset=0, dim1=0, dim2=1):
    shape = shape_of(input)
    first = axis(dim1, len(shape))
    second = axis(dim2, len(shape))
    require(first != second, RuntimeError, "diagonal needs two different dims")
    rest = tuple([shape[k] for k in range(len(shape)) if k != first and k != second])
    if is_constant(shape[first]) and is_constant(shape[second]):
        size = max(0, _diagonal_length(shape[first], shape[second], offset))
    else:
        size = _any_size()
    return tensor(rest + (size,), dtype_of(input))


@lifted(viewed, "input")
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    if ranked(input) and is_constant(dim1) and is_constant(dim2):
        for dim in (dim1, dim2):
            axis(dim, len(shape_of(input)) + 1)
    if not ranked(input) or dim1 != -2 or dim2 != -1 or not is_constant(offset):
        return unranked(dtype_of(input))
    shape = shape_of(input)
    if len(shape) == 0:
        raise IndexError("diag_embed needs at least one dimension")
    size = shape[-1] + abs(offset)
    return tensor(shape[:-1] + (size, size), dtype_of(input))


@lifted(viewed, "input")
def triangle(input, diagonal=0, *, out=None):
    """tril and triu; PyTorch 1.13 lets an empty vector pass."""
    if ranked(input) and (IS_NEW or not (len(shape_of(input)) == 1 and not proved(shape_of(input)[0] != 0))):
        require(
            len(shape_of(input)) >= 2,
            by_release(IndexError, RuntimeError),
            f"tril and triu need at least two dimensions, but this tensor has shape {shape_of(input)}",
        )
    return tensor(shape_of(input), dtype_of(input)) if ranked(input) else alike(input, dtype_of(input))


def unfold(self, dimension, size, step):
    if not ranked(self) or is_unknown(dimension):
        return unranked(dtype_of(self))
    shape = shape_of(self)
    place = axis(dimension, len(shape))
    whole = shape[place] if len(shape) > 0 else 1
    require(size <= whole, RuntimeError, f"unfold cannot take windows of size {size} from a dimension of size {whole}")
    if len(shape) == 0:
        return tensor((size,), dtype_of(self))
    return tensor(shape[:place] + ((whole - size) // step + 1,) + shape[place + 1 :] + (size,), dtype_of(self))


def _view_method(self, *shape, **named):
    made = reshape(self, *shape, **named)
    strides = strides_of(self)
    if strides is not None and ranked(made) and not (len(shape) == 1 and isinstance(shape[0], (type, _dtypes.dtype))):
        return noted_view(self, made)
    if self._is_noncontiguous and ranked(self) and not _is_line(shape_of(self)):
        neighbours = regrouped(self, shape_of(made)) if ranked(made) else None
        if neighbours is not None:
            return with_neighbours(made, neighbours)
        require(
            unknown("the strides"),
            RuntimeError,
            f"whether the strides of this tensor of shape {shape_of(self)} allow the view is not known; "
            "reshape() always works",
        )
    return made


def _is_line(shape):
    """At most one size is not 1, so there is only one order; always decided."""
    long = 0
    for size in shape:
        if not proved(size == 1):
            long += 1
    return long <= 1


def view_as(self, other):
    return view(self, reshape_shape(shape_of(self), shape_of(tensor_arg(other, "other")), error=RuntimeError))


def atleast_1d(*tensors):
    return _each(tensors, _one)


def atleast_2d(*tensors):
    return _each(tensors, _two)


def atleast_3d(*tensors):
    return _each(tensors, _three)


def _each(tensors, change):
    many = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)) else tensors
    if len(tensors) == 1 and not isinstance(tensors[0], (tuple, list)):
        return change(viewed(tensors[0]))
    return tuple([change(viewed(x)) for x in many])


def _one(x):
    if not ranked(x):
        return unranked(dtype_of(x))
    return tensor((1,), dtype_of(x)) if len(shape_of(x)) == 0 else tensor(shape_of(x), dtype_of(x))


def _two(x):
    if not ranked(x):
        return unranked(dtype_of(x))
    shape = shape_of(x)
    return tensor((1,) * (2 - len(shape)) + shape if len(shape) < 2 else shape, dtype_of(x))


def _three(x):
    if not ranked(x):
        return unranked(dtype_of(x))
    shape = shape_of(x)
    if len(shape) == 2:
        return tensor(shape + (1,), dtype_of(x))
    if len(shape) == 1:
        return tensor((1,) + shape + (1,), dtype_of(x))
    return tensor((1, 1, 1), dtype_of(x)) if len(shape) == 0 else tensor(shape, dtype_of(x))


def _in_place(function):
    """The in-place form of a function that changes the shape."""

    def changed(self, *args):
        result = function(self, *args)
        set_shape(self, shape_of(result))
        self._strides = None
        return self

    return changed


class Reshaping:
    """Methods of Tensor that rearrange its elements."""

    reshape = reshape
    view = _view_method
    flatten = flatten
    ravel = ravel
    unflatten = unflatten
    squeeze = squeeze
    unsqueeze = unsqueeze
    transpose = transpose
    swapaxes = swapdims = swapaxes
    permute = _permute_method
    movedim = moveaxis = movedim
    t = t
    adjoint = adjoint
    expand = expand
    expand_as = expand_as
    broadcast_to = broadcast_to
    repeat = repeat
    tile = tile
    repeat_interleave = repeat_interleave
    roll = roll
    flip = flip
    rot90 = rot90
    diag = diag
    diagonal = diagonal
    diag_embed = diag_embed
    tril = triu = triangle
    unfold = unfold
    view_as = reshape_as = view_as
    unsqueeze_ = _in_place(unsqueeze)
    squeeze_ = _in_place(squeeze)
    transpose_ = swapaxes_ = _in_place(transpose)
    t_ = _in_place(t)

    @property
    def T(self):
        return reversed_dims(self)

    @property
    def mT(self):
        return matrix_transposed(self)

    @property
    def H(self):
        return conjugate_transposed(self)

    @property
    def mH(self):
        return matrix_transposed(self)
