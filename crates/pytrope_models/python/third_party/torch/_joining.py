"""Concatenating, stacking and splitting tensors."""

from _pytrope import alike as items_alike
from _pytrope import (
    broadcast,
    dtype_of,
    fresh,
    has_rank,
    is_assuming,
    is_constant,
    is_unknown,
    last_sizes_of,
    lifted,
    product,
    proved,
    relate_rank,
    repeat,
    require,
    shape_of,
    share_rank,
    unknown,
    values_of,
)

from . import _dtypes
from ._layout import cut_along
from ._make import (
    asked_arg,
    axis,
    is_tensor,
    ranked,
    require_rank,
    same_rank,
    sizes,
    tensor,
    tensor_arg,
    trailing,
    unranked,
    with_rank,
)
from ._values import shared, viewed
from ._versions import by_release


def several(tensors):
    """The tensors of a list, tuple or first dimension; Unknown when they are not known one by one."""
    if is_unknown(tensors):
        return unknown("the tensors are not known")
    if isinstance(tensors, (tuple, list)):
        if not is_constant(len(tensors)):
            return unknown("the number of tensors is not known")
        return [tensor_arg(x) for x in tensors]
    if is_tensor(tensors):
        raise TypeError("expected a tuple or list of tensors, not one tensor")
    return unknown("the tensors are not known")


def common_dtype(parts):
    dtype = dtype_of(parts[0])
    for x in parts:
        dtype = _dtypes.wider(dtype, dtype_of(x))
    return dtype


def all_ranked(parts):
    for x in parts:
        if not ranked(x):
            return False
    return True


def joined_alike(tensors, dim, new):
    """Any number of tensors of one shape, joined along a dimension, or along a new one."""
    rows = items_alike(tensors)
    if is_unknown(rows) or rows is None or not is_constant(dim) or not isinstance(dim, int):
        return unranked()
    shape, dtype, length = rows
    rank = len(shape) + new
    if rank == 0 or dim >= rank or dim < -rank:
        return unranked(dtype)
    place = dim + rank if dim < 0 else dim
    size = length if new else fresh("joined")
    return tensor(shape[:place] + (size,) + shape[place + 1 - new :], dtype)


def cat(tensors, dim=0, *, axis=None, out=None):
    parts = several(tensors)
    if axis is not None:
        dim = axis
    if is_unknown(parts):
        return joined_alike(tensors, dim, 0)
    require(
        len(parts) > 0, by_release(RuntimeError, ValueError), "cat needs at least one tensor", rule="concat-mismatch"
    )
    dtype = common_dtype(parts)
    if not all_ranked(parts) or is_unknown(dim):
        return _joined_open(parts, dim, dtype)
    return tensor(cat_shape([shape_of(x) for x in parts], dim), dtype)


def first_ranked(parts):
    for x in parts:
        if ranked(x):
            return x
    return None


def _joined_open(parts, dim, dtype):
    """A concatenation of tensors, of which some have an open rank: all have one rank, except for empty vectors, and
    the same sizes at every other axis."""
    known = first_ranked(parts)
    if known is not None and len(shape_of(known)) > 1:
        if is_assuming():
            for x in parts:
                require_rank(x, len(shape_of(known)))
        if is_unknown(dim) or not is_constant(dim):
            return with_rank(known, 0, dtype)
        shape = shape_of(known)
        place = axis(dim, len(shape))
        return tensor(shape[:place] + (fresh("joined sizes"),) + shape[place + 1 :], dtype)
    if not is_assuming() or known is not None:
        return unranked(dtype)
    for x in parts[1:]:
        relate_rank(x, parts[0])
    return with_rank(parts[0], 0, dtype)


def cat_shape(shapes, dim):
    """The shape of a concatenation; an empty vector is skipped whatever the others are."""
    for shape in shapes:
        require(len(shape) > 0, RuntimeError, "cat cannot join scalars; use stack", rule="concat-mismatch")
    used = [shape for shape in shapes if not (len(shape) == 1 and proved(shape[0] == 0))]
    if len(used) == 0:
        return (0,)
    first = used[0]
    place = axis(dim, len(first))
    size = 0
    for shape in used:
        require(
            len(shape) == len(first),
            RuntimeError,
            f"cat of {first} and {shape}: the ranks differ",
            rule="concat-mismatch",
        )
        for k in range(len(first)):
            if k != place:
                require(
                    shape[k] == first[k],
                    RuntimeError,
                    f"cat of {first} and {shape} along dim {dim}: {first[k]} ≠ {shape[k]} at dim {k}",
                    rule="concat-mismatch",
                )
        size = size + shape[place]
    return first[:place] + (size,) + first[place + 1 :]


def stack(tensors, dim=0, *, out=None):
    parts = several(tensors)
    if is_unknown(parts):
        return joined_alike(tensors, dim, 1)
    require(len(parts) > 0, RuntimeError, "stack needs at least one tensor", rule="concat-mismatch")
    dtype = common_dtype(parts)
    known = first_ranked(parts)
    for x in parts:
        if known is not None:
            require_rank(x, len(shape_of(known)))
        else:
            relate_rank(x, parts[0])
    if known is None or is_unknown(dim):
        return with_rank(parts[0], 1, dtype)
    first = shape_of(parts[0])
    place = axis(dim, len(first) + 1)
    for x in parts:
        same_shape(first, shape_of(x))
    return tensor(first[:place] + (len(parts),) + first[place:], dtype)


def same_shape(first, shape):
    require(
        len(shape) == len(first), RuntimeError, f"stack needs equal shapes: {first} and {shape}", rule="concat-mismatch"
    )
    for k in range(len(first)):
        require(
            shape[k] == first[k], RuntimeError, f"stack needs equal shapes: {first} and {shape}", rule="concat-mismatch"
        )


def _joined(tensors, raised, dim_of):
    parts = several(tensors)
    if is_unknown(parts):
        return unranked()
    require(len(parts) > 0, RuntimeError, "stack needs at least one array", rule="concat-mismatch")
    changed = [raised(x) for x in parts]
    return cat(changed, dim_of(changed[0]))


def hstack(tensors, *, out=None):
    from ._reshaping import atleast_1d

    return _joined(tensors, atleast_1d, _second_or_first)


def _second_or_first(x):
    if not ranked(x):
        return unknown("the rank is not known")
    return 0 if len(shape_of(x)) == 1 else 1


def vstack(tensors, *, out=None):
    from ._reshaping import atleast_2d

    return _joined(tensors, atleast_2d, _first)


def _first(x):
    return 0


def dstack(tensors, *, out=None):
    from ._reshaping import atleast_3d

    return _joined(tensors, atleast_3d, _third)


def _third(x):
    return 2


def column_stack(tensors, *, out=None):
    return _joined(tensors, _column, _second)


def _second(x):
    return 1


def _column(x):
    if not ranked(x):
        return unranked(dtype_of(x))
    shape = shape_of(x)
    if len(shape) <= 1:
        return tensor((product(shape), 1), dtype_of(x))
    return x


@lifted(viewed, "input", known=("dim",), constant=("chunks",))
def chunk(input, chunks, dim=0):
    if not ranked(input):
        return _open_pieces(input, dim, chunks)
    shape = shape_of(input)
    require(len(shape) > 0, RuntimeError, "chunk needs at least one dimension")
    require(chunks > 0, RuntimeError, f"chunk needs a positive number of pieces, not {chunks}")
    place = axis(dim, len(shape))
    size = shape[place]
    if is_constant(size):
        each = (size + chunks - 1) // chunks
        if each == 0:
            return tuple([tensor(shape, dtype_of(input)) for _ in range(chunks)])
        return pieces(input, place, each, size)
    if chunks == 1:
        return (tensor(shape, dtype_of(input)),)
    if proved(size % chunks == 0):
        # Of a size of 0, too, there are as many pieces as are asked for.
        each = size // chunks
        made = tuple([tensor(shape[:place] + (each,) + shape[place + 1 :], dtype_of(input)) for _ in range(chunks)])
        return cut_along(input, place, made)
    return some_pieces(input, chunks, place)


def some_pieces(x, chunks, place):
    """At most so many pieces of a dimension whose size may be no multiple of their number."""
    shape = shape_of(x)
    if is_assuming() and is_constant(chunks):
        each = shape[place] // chunks
        return tuple([tensor(shape[:place] + (each,) + shape[place + 1 :], dtype_of(x)) for _ in range(chunks)])
    if is_constant(chunks):
        each = (shape[place] + chunks - 1) // chunks
        last = shape[place] - (chunks - 1) * each
        if proved(last > 0):
            sizes = [each for _ in range(chunks - 1)] + [last]
            return tuple([tensor(shape[:place] + (size,) + shape[place + 1 :], dtype_of(x)) for size in sizes])
    return unequal_pieces()


def unequal_pieces():
    # One item that stands for all of them would have one size, and the last piece may be smaller.
    return unknown("pieces that may be unequal")


def _open_pieces(x, dim, chunks):
    """The pieces of a tensor whose rank is open; its last sizes may be known."""
    last = last_sizes_of(x)
    if not isinstance(dim, int) or not is_constant(dim) or dim >= 0 or -dim > len(last):
        if is_assuming():
            return tuple([same_rank(x) for _ in range(chunks)])
        return tuple(repeat(same_rank(x), fresh("pieces")))
    place = len(last) + dim
    size = last[place]
    if is_assuming() or proved(size % chunks == 0):
        rest = last[:place] + (size // chunks,) + last[place + 1 :]
        return tuple([_piece(x, rest) for _ in range(chunks)])
    return unequal_pieces()


def _piece(x, last):
    # The other dimensions stay as they are.
    return share_rank(trailing(last, dtype_of(x)), x)


def pieces(x, place, each, size):
    """Pieces of `each` along a dimension of known size; the last may be smaller."""
    shape = shape_of(x)
    found = []
    start = 0
    while start < size:
        length = each if start + each <= size else size - start
        found.append(tensor(shape[:place] + (length,) + shape[place + 1 :], dtype_of(x)))
        start = start + each
    return cut_along(x, place, tuple(found))


def viewed_by_split(x, name="input"):
    return viewed(asked_arg(x, name))


@lifted(viewed_by_split, "input")
def split(input, split_size_or_sections, dim=0):
    sections = split_size_or_sections
    if is_unknown(sections) or not ranked(input) or is_unknown(dim):
        if not is_unknown(sections) and isinstance(sections, (tuple, list)) and is_constant(len(sections)):
            return tuple([same_rank(input) for _ in sections])
        return tuple(repeat(same_rank(input), fresh("pieces")))
    shape = shape_of(input)
    require(len(shape) > 0, RuntimeError, "split needs at least one dimension")
    place = axis(dim, len(shape))
    size = shape[place]
    if isinstance(sections, (tuple, list)):
        whole = 0
        for part in sections:
            require(part >= 0, RuntimeError, f"split sections must not be negative: {sections}")
            whole = whole + part
        require(
            whole == size,
            RuntimeError,
            f"split sections {sections} add up to {whole}, but the dimension has size {size}",
        )
        made = tuple([tensor(shape[:place] + (part,) + shape[place + 1 :], dtype_of(input)) for part in sections])
        return cut_along(input, place, made)
    require(sections >= 0, RuntimeError, f"split needs a size that is not negative, not {sections}")
    require(sections > 0 or size == 0, RuntimeError, "cannot split into pieces of size 0")
    if is_constant(size) and is_constant(sections):
        if size == 0 or sections == 0:
            return (tensor(shape, dtype_of(input)),)
        return pieces(input, place, sections, size)
    if proved(sections == size):
        return (tensor(shape, dtype_of(input)),)
    for count in range(2, 9):
        if proved(sections > 0) and proved(size == count * sections):
            made = [tensor(shape[:place] + (sections,) + shape[place + 1 :], dtype_of(input)) for _ in range(count)]
            return cut_along(input, place, tuple(made))
    if is_constant(sections) or proved(sections > 0):
        count = size // sections
        if is_constant(count) and proved(size % sections == 0) and count > 0:
            made = [tensor(shape[:place] + (sections,) + shape[place + 1 :], dtype_of(input)) for _ in range(count)]
            return cut_along(input, place, tuple(made))
    return unequal_pieces()


@lifted(viewed, "input")
def tensor_split(input, indices_or_sections, dim=0):
    cuts = indices_or_sections
    if not is_constant(cuts) or not ranked(input) or is_unknown(dim):
        return unknown("the pieces are not known")
    shape = shape_of(input)
    require(len(shape) > 0, RuntimeError, "tensor_split needs at least one dimension")
    place = axis(dim, len(shape))
    size = shape[place]
    if not is_constant(size):
        return unknown("the pieces depend on the size")
    lengths = []
    if isinstance(cuts, int):
        require(cuts > 0, RuntimeError, f"tensor_split needs a positive number of pieces, not {cuts}")
        for k in range(cuts):
            lengths.append(size // cuts + (1 if k < size % cuts else 0))
    else:
        start = 0
        for cut in list(cuts) + [size]:
            stop = cut + size if cut < 0 else cut
            stop = max(0, min(stop, size))
            lengths.append(max(0, stop - start))
            start = stop
    return tuple([tensor(shape[:place] + (length,) + shape[place + 1 :], dtype_of(input)) for length in lengths])


@lifted(tensor_arg, "input", ranked=True)
def _split_along(input, cuts, dim, least, name):
    shape = shape_of(input)
    require(
        len(shape) >= least,
        RuntimeError,
        f"{name} needs at least {least} dimensions, but this tensor has shape {shape}",
    )
    if isinstance(cuts, int):
        require(
            shape[dim] % cuts == 0,
            RuntimeError,
            f"{name} cannot cut a dimension of size {shape[dim]} into {cuts} equal pieces",
        )
    return tensor_split(input, cuts, dim)


@lifted(tensor_arg, "input")
def hsplit(input, indices_or_sections):
    if ranked(input) and len(shape_of(input)) == 1:
        return _split_along(input, indices_or_sections, 0, 1, "hsplit")
    return _split_along(input, indices_or_sections, 1, 1, "hsplit")


def vsplit(input, indices_or_sections):
    return _split_along(input, indices_or_sections, 0, 2, "vsplit")


def dsplit(input, indices_or_sections):
    return _split_along(input, indices_or_sections, 2, 3, "dsplit")


@lifted(tensor_arg, "input", known=("dim",))
def unbind(input, dim=0):
    if not ranked(input):
        return tuple(repeat(with_rank(input, -1, dtype_of(input)), fresh("pieces")))
    shape = shape_of(input)
    place = axis(dim, len(shape))
    require(len(shape) > 0, IndexError, "unbind needs at least one dimension")
    if not is_constant(shape[place]):
        piece = tensor(shape[:place] + shape[place + 1 :], dtype_of(input))
        return tuple(repeat(piece, shape[place]))
    known = values_of(input)
    if known is not None and len(shape) == 1:
        return tuple([shared(input, tensor((), dtype_of(input), (each,))) for each in known])
    viewed(input)
    return tuple([tensor(shape[:place] + shape[place + 1 :], dtype_of(input)) for _ in range(shape[place])])


def broadcast_tensors(*tensors):
    many = sizes(tensors)
    if is_unknown(many):
        return unknown("the tensors are not known")
    parts = [tensor_arg(x) for x in many]
    shape = broadcast(*[shape_of(x) for x in parts], error=RuntimeError)
    return [tensor(shape, dtype_of(x)) for x in parts]


def broadcast_shapes(*shapes):
    return broadcast(*[(shape,) if isinstance(shape, int) else shape for shape in shapes], error=RuntimeError)


def meshgrid(*tensors, indexing=None):
    many = sizes(tensors)
    if is_unknown(many):
        return unknown("the tensors are not known")
    parts = [tensor_arg(x) for x in many]
    shape = ()
    for x in parts:
        if not ranked(x):
            return unknown("the ranks are not known")
        own = shape_of(x)
        require(len(own) <= 1, RuntimeError, f"meshgrid takes vectors, but one tensor has shape {own}")
        shape = shape + (own if len(own) == 1 else (1,))
    for x in parts:
        if not is_unknown(dtype_of(x)) and not is_unknown(dtype_of(parts[0])):
            require(dtype_of(x) == dtype_of(parts[0]), RuntimeError, "meshgrid needs tensors of one dtype")
    if indexing == "xy" and len(shape) >= 2:
        shape = (shape[1], shape[0]) + shape[2:]
    return tuple([tensor(shape, dtype_of(x)) for x in parts])


def cartesian_prod(*tensors):
    parts = [tensor_arg(x) for x in tensors]
    count = 1
    for x in parts:
        if not ranked(x):
            return unranked()
        require(
            len(shape_of(x)) == 1, RuntimeError, f"cartesian_prod takes vectors, but one tensor has shape {shape_of(x)}"
        )
        count = count * shape_of(x)[0]
    if len(parts) == 1:
        return tensor(shape_of(parts[0]), dtype_of(parts[0]))
    return tensor((count, len(parts)), common_dtype(parts))


def block_diag(*tensors):
    rows = 0
    columns = 0
    parts = [tensor_arg(x) for x in tensors]
    if not has_rank(tensors) or len(parts) == 0:
        return unranked()
    for x in parts:
        if not ranked(x):
            return unranked()
        own = shape_of(x)
        require(len(own) <= 2, RuntimeError, f"block_diag takes matrices, but one tensor has shape {own}")
        rows = rows + (own[0] if len(own) == 2 else 1)
        columns = columns + (own[-1] if len(own) > 0 else 1)
    return tensor((rows, columns), common_dtype(parts))


@lifted(tensor_arg, "input")
def combinations(input, r=2, with_replacement=False):
    if not ranked(input) or not is_constant(r) or not is_constant(shape_of(input)) or with_replacement:
        return unranked(dtype_of(input))
    require(len(shape_of(input)) == 1, RuntimeError, "combinations takes a vector")
    count = 1
    for k in range(r):
        count = count * (shape_of(input)[0] - k) // (k + 1)
    return tensor((max(0, count), r), dtype_of(input))


class Joining:
    """Methods of Tensor that take it to pieces."""

    chunk = chunk
    split = split
    tensor_split = tensor_split
    hsplit = hsplit
    vsplit = vsplit
    dsplit = dsplit
    unbind = unbind
