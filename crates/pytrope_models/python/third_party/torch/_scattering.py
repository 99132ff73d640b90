"""Functions that replace a part of a tensor and give the whole as a new one, and such as check its sizes alone."""

from _pytrope import broadcast, dtype_of, is_constant, is_unknown, lifted, product, require, shape_of, unknown

from ._elementwise import has_kernel
from ._make import axis, ranked, same_dtype, tensor, tensor_arg


def fills(part, src, what):
    """The source has the shape of the part that it replaces."""
    given = shape_of(src)
    message = f"{what} of shape {part} is replaced by a tensor of shape {given}"
    require(len(given) == len(part), RuntimeError, message, rule="broadcast-mismatch")
    for need, have in zip(part, given):
        require(need == have, RuntimeError, message, rule="broadcast-mismatch")


def placed(dim, shape):
    """A dimension of a tensor that has one."""
    require(len(shape) > 0, IndexError, "a tensor without dimensions has no part to replace", rule="axis-out-of-range")
    return axis(dim, len(shape))


@lifted(tensor_arg, "input", "src", constant=("dim", "index"), ranked=True, otherwise=same_dtype)
def select_scatter(input, src, dim, index):
    shape = shape_of(input)
    place = placed(dim, shape)
    size = shape[place]
    require(-size <= index and index < size, IndexError, f"index {index} of {size}", rule="index-out-of-bounds")
    fills(shape[:place] + shape[place + 1 :], src, "a row")
    return tensor(shape, dtype_of(input))


@lifted(tensor_arg, "input", "src", constant=("dim", "start", "end", "step"), ranked=True, otherwise=same_dtype)
def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    shape = shape_of(input)
    place = placed(dim, shape)
    require(step > 0, RuntimeError, f"the step of a slice must be positive, not {step}")
    if not is_constant(shape[place]):
        return tensor(shape, dtype_of(input))
    count = len(range(*slice(start, end, step).indices(shape[place])))
    fills(shape[:place] + (count,) + shape[place + 1 :], src, "a slice")
    return tensor(shape, dtype_of(input))


@lifted(tensor_arg, "input", "src", constant=("offset", "dim1", "dim2"), ranked=True, otherwise=same_dtype)
def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    fills(shape_of(input.diagonal(offset, dim1, dim2)), src, "a diagonal")
    return tensor(shape_of(input), dtype_of(input))


@lifted(tensor_arg, "input")
def is_nonzero(input):
    if ranked(input):
        count = product(shape_of(input))
        require(count == 1, RuntimeError, f"a tensor of shape {shape_of(input)} is not one element")
    return bool(unknown("an element"))


@lifted(tensor_arg, "input")
def sum_to_size(input, *size):
    given = size[0] if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    if not ranked(input) or is_unknown(given) or not is_constant(tuple(given)):
        return same_dtype(input)
    own, wanted = shape_of(input), tuple(given)
    message = f"a tensor of shape {own} cannot be summed to {wanted}"
    require(len(wanted) <= len(own), RuntimeError, message, rule="broadcast-mismatch")
    for need, have in zip(reversed(wanted), reversed(own)):
        require(need == 1 or need == have, RuntimeError, message, rule="broadcast-mismatch")
    return tensor(wanted, unknown("the element type of a sum"))


def split_with_sizes(input, split_sizes, dim=0):
    return tensor_arg(input).split(split_sizes, dim)


@lifted(tensor_arg, "input", constant=("dim", "start", "length"), ranked=True, otherwise=same_dtype)
def narrow_copy(input, dim, start, length):
    shape = shape_of(input)
    message = f"{length} elements from {start} on along dim {dim} of shape {shape}"
    require(-len(shape) <= dim and dim < len(shape), RuntimeError, message, rule="axis-out-of-range")
    place = dim % len(shape)
    first = start + shape[place] if start < 0 else start
    require(0 <= length and first + length <= shape[place], RuntimeError, message, rule="index-out-of-bounds")
    return tensor(shape[:place] + (length,) + shape[place + 1 :], dtype_of(input))


@lifted(tensor_arg, "input", constant=("dim",), ranked=True, otherwise=same_dtype)
def renorm(input, p, dim, maxnorm):
    shape = shape_of(input)
    require(len(shape) >= 2, RuntimeError, f"renorm needs at least two dimensions, not shape {shape}")
    axis(dim, len(shape))
    has_kernel(dtype_of(input), (2, 3), "renorm")
    return tensor(shape, dtype_of(input))


@lifted(tensor_arg, "input", "values")
def index_put(input, indices, values, accumulate=False):
    """Writing to a copy."""
    from ._elementwise import clone
    from ._in_place import one_type

    one_type(input, values, "index_put")

    made = clone(input)
    if isinstance(indices, (tuple, list)) and not is_unknown(indices):
        made[tuple(indices)] = values
    return made


@lifted(tensor_arg, "input", "mask", "source")
def masked_scatter(input, mask, source):
    from ._in_place import one_type

    one_type(input, source, "masked_scatter")
    if ranked(input) and ranked(mask):
        return tensor(broadcast(shape_of(input), shape_of(mask), error=RuntimeError), dtype_of(input))
    return same_dtype(input)


def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    from ._indexing import scatter

    return scatter(input, dim, index, src)


@lifted(tensor_arg, "input")
def imag(input):
    return input.imag


@lifted(tensor_arg, "input")
def pdist(input, p=2):
    """The distances of all pairs of rows."""
    has_kernel(dtype_of(input), (2,), "pdist", RuntimeError)
    if not ranked(input):
        return same_dtype(input)
    shape = shape_of(input)
    require(len(shape) == 2, RuntimeError, f"pdist takes rows of a matrix, not shape {shape}")
    return tensor((shape[0] * (shape[0] - 1) // 2,), dtype_of(input))


def index_reduce(input, dim, index, source, reduce, *, include_self=True):
    """Rows of a source are taken up into those that an index names."""
    from ._in_place import one_type
    from ._indexing import index_add

    one_type(tensor_arg(input), tensor_arg(source), "index_reduce")
    return index_add(input, dim, index, source)
