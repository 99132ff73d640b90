"""Matrix products, einsum and tensordot."""

from _pytrope import (
    broadcast,
    dtype_of,
    einsum_shape,
    fresh,
    has_rank,
    is_array,
    is_assuming,
    is_constant,
    is_unknown,
    last_sizes_of,
    lifted,
    matmul_shape,
    proved,
    refuted,
    relate_rank,
    require,
    shape_of,
    unknown,
)

from _shapes import with_ellipsis

from . import _dtypes
from ._layout import in_row_major
from ._make import (
    any_tensor,
    asked_arg,
    axes,
    axis,
    is_tensor,
    of_rank,
    ranked,
    require_rank,
    tensor,
    tensor_arg,
    unranked,
)
from ._versions import IS_NEW, IS_OLD, UNSUPPORTED

# Functions with the parameters of every release of the library, as `conformance/torch/parameters.py` compares them.
_pytrope_exact = (
    "cdist",
    "tensordot",
)


def one_dtype(first, second):
    """Products need equal dtypes and say so."""
    a = dtype_of(first)
    b = dtype_of(second)
    if is_unknown(a) or is_unknown(b):
        return b if is_unknown(a) else a
    require(_dtypes.may_meet(a, b), RuntimeError, f"a product needs one dtype, not {a} and {b}")
    if a == "bool" and not _is_empty(first) and not _is_empty(second):
        require(False, UNSUPPORTED, "there is no product of matrices of bools", rule="bad-operand")
    return a if a == b else unknown("what autocast computes in")


def _is_empty(x):
    """Whether nothing may be computed, for there is a size that is not certainly positive."""
    return not ranked(x) or bool([size for size in shape_of(x) if not proved(size > 0)])


def rank_is(x, rank, name, wrong=RuntimeError):
    if ranked(x):
        require(
            len(shape_of(x)) == rank,
            wrong,
            f"{name} needs a tensor with {rank} dimension{'s' if rank > 1 else ''}, not shape {shape_of(x)}",
            rule="matmul-mismatch",
        )


def inner(first, second, left, right):
    """The two sizes that a product sums over are equal."""
    require(
        left == right,
        RuntimeError,
        f"product of {shape_of(first)} and {shape_of(second)}: {left} ≠ {right}",
        rule="matmul-mismatch",
    )


@lifted(tensor_arg, "input", "other")
def matmul(input, other, *, out=None):
    _require_inner(input, other)
    shape = matmul_shape(shape_of(input), shape_of(other), error=RuntimeError)
    made = tensor(shape, one_dtype(input, other))
    if ranked(input) and ranked(other) and not (len(shape_of(input)) == 2 and len(shape_of(other)) > 2):
        # A matrix times a batch may be computed the other way round, and is a transposed view then.
        in_row_major(made)
    return made if ranked(made) else _open_product(made, input, other)


def _require_inner(a, b):
    """What is known of the last sizes of operands of open rank must fit."""
    if ranked(a) and ranked(b):
        return
    rows = shape_of(a) if ranked(a) else last_sizes_of(a)
    columns = shape_of(b) if ranked(b) else last_sizes_of(b)
    if len(rows) == 0 or len(columns) == 0 or (not ranked(b) and len(columns) == 1):
        return
    summed = columns[-2] if len(columns) > 1 else columns[0]
    require(
        rows[-1] == summed,
        RuntimeError,
        f"matrix product that sums over {rows[-1]} elements on the left and {summed} on the right",
        rule="matmul-mismatch",
    )


def _open_product(made, a, b):
    """A product with an operand of open rank: a matrix leaves the other one's rank as it is."""
    if ranked(b) and len(shape_of(b)) == 2:
        return relate_rank(made, a)
    if ranked(a) and len(shape_of(a)) == 2:
        return relate_rank(made, b)
    if not is_assuming():
        return made
    if ranked(a) and len(shape_of(a)) > 2:
        return of_rank(len(shape_of(a)), dtype_of(made))
    if ranked(b) and len(shape_of(b)) > 2:
        return of_rank(len(shape_of(b)), dtype_of(made))
    return relate_rank(made, a)


@lifted(tensor_arg, "input", "mat2")
def mm(input, mat2, *, out=None):
    rank_is(input, 2, "mm")
    rank_is(mat2, 2, "mm")
    require_rank(input, 2)
    require_rank(mat2, 2)
    if not ranked(input) or not ranked(mat2):
        return unranked(one_dtype(input, mat2))
    inner(input, mat2, shape_of(input)[1], shape_of(mat2)[0])
    return in_row_major(tensor((shape_of(input)[0], shape_of(mat2)[1]), one_dtype(input, mat2)))


@lifted(tensor_arg, "input", "mat2")
def bmm(input, mat2, *, out=None):
    rank_is(input, 3, "bmm")
    rank_is(mat2, 3, "bmm")
    require_rank(input, 3)
    require_rank(mat2, 3)
    if not ranked(input) or not ranked(mat2):
        return unranked(one_dtype(input, mat2))
    a = shape_of(input)
    b = shape_of(mat2)
    require(
        a[0] == b[0],
        RuntimeError,
        f"batched product of {a} and {b}: the batches differ, {a[0]} ≠ {b[0]}",
        rule="matmul-mismatch",
    )
    inner(input, mat2, a[2], b[1])
    return in_row_major(tensor((a[0], a[1], b[2]), one_dtype(input, mat2)))


def _mv_error(x):
    return IndexError if ranked(x) and len(shape_of(x)) == 0 else RuntimeError


@lifted(tensor_arg, "input", "vec")
def mv(input, vec, *, out=None):
    if not ranked(input):
        return unranked(one_dtype(input, vec))
    rank_is(input, 2, "mv", _mv_error(input))
    rank_is(vec, 1, "mv")
    if not ranked(vec):
        return unranked(one_dtype(input, vec))
    inner(input, vec, shape_of(input)[1], shape_of(vec)[0])
    return tensor((shape_of(input)[0],), one_dtype(input, vec))


@lifted(tensor_arg, "input", "other")
def dot(input, other, *, out=None):
    rank_is(input, 1, "dot")
    rank_is(other, 1, "dot")
    if ranked(input) and ranked(other):
        inner(input, other, shape_of(input)[0], shape_of(other)[0])
    return tensor((), one_dtype(input, other))


@lifted(tensor_arg, "input", "vec2")
def outer(input, vec2, *, out=None):
    rank_is(input, 1, "outer")
    rank_is(vec2, 1, "outer")
    if not ranked(input) or not ranked(vec2):
        return unranked()
    return tensor((shape_of(input)[0], shape_of(vec2)[0]), _dtypes.result(input, vec2))


@lifted(tensor_arg, "input", "other", ranked=True, otherwise=any_tensor)
def inner_product(input, other, *, out=None):
    """torch.inner"""
    a = shape_of(input)
    b = shape_of(other)
    if len(a) == 0 or len(b) == 0:
        return tensor(a + b, _dtypes.result(input, other))
    inner(input, other, a[-1], b[-1])
    return tensor(a[:-1] + b[:-1], one_dtype(input, other))


@lifted(tensor_arg, "bias")
def plus(bias, shape, dtype):
    """A product with something added that may only be expanded to it."""
    if ranked(bias):
        own = shape_of(bias)
        message = f"{own} cannot be expanded to the product's shape {shape}"
        require(len(own) <= len(shape), RuntimeError, message, rule="broadcast-mismatch")
        for k in range(1, len(own) + 1):
            require(own[-k] == shape[-k] or own[-k] == 1, RuntimeError, message, rule="broadcast-mismatch")
    return tensor(shape, dtype)


def addmm(input, mat1, mat2, *, beta=1, alpha=1, out=None):
    added = tensor_arg(input)
    if IS_NEW and not is_unknown(dtype_of(added)) and not is_unknown(dtype_of(tensor_arg(mat1, "mat1"))):
        own = dtype_of(tensor_arg(mat1, "mat1"))
        message = f"addmm needs one dtype, not {dtype_of(added)} and {own}"
        shape = shape_of(added)
        if not ranked(added) or [size for size in shape if not proved(size > 0)] == []:
            require(_dtypes.may_meet(own, dtype_of(added)), RuntimeError, message)
    result = mm(mat1, mat2)
    return plus(input, shape_of(result), dtype_of(result)) if ranked(result) else result


@lifted(tensor_arg, "batch2")
def _batches(batch1, batch2):
    """The fused products look at the third dimension before the rank."""
    if ranked(batch2):
        require(
            len(shape_of(batch2)) >= 3,
            IndexError,
            f"a batch of matrices must have rank 3, not shape {shape_of(batch2)}",
            rule="matmul-mismatch",
        )


def baddbmm(input, batch1, batch2, *, beta=1, alpha=1, out=None):
    _batches(batch1, batch2)
    result = bmm(batch1, batch2)
    return plus(input, shape_of(result), dtype_of(result)) if ranked(result) else result


def addbmm(input, batch1, batch2, *, beta=1, alpha=1, out=None):
    _batches(batch1, batch2)
    result = bmm(batch1, batch2)
    return plus(input, shape_of(result)[1:], dtype_of(result)) if ranked(result) else result


def addmv(input, mat, vec, *, beta=1, alpha=1, out=None):
    result = mv(mat, vec)
    return plus(input, shape_of(result), dtype_of(result)) if ranked(result) else result


def addr(input, vec1, vec2, *, beta=1, alpha=1, out=None):
    result = outer(vec1, vec2)
    return plus(input, shape_of(result), dtype_of(result)) if ranked(result) else result


def einsum(equation, *operands):
    from ._joining import several

    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = operands[0]
    if not isinstance(equation, str) or not is_constant(equation):
        return unranked()
    parts = several(list(operands))
    if is_unknown(parts):
        return named_result(equation, unknown("the dtype of unknown operands"))
    if len(parts) == 0:
        return unranked()
    dtype = dtype_of(parts[0])
    if len(parts) == 2 and is_matrix_product(equation, parts):
        require(dtype_of(parts[0]) != "bool", UNSUPPORTED, "there is no product of bools", rule="bad-operand")
        one_dtype(parts[0], parts[1])
    for x in parts[1:]:
        dtype = joint_dtype(dtype, dtype_of(x))
    terms = equation.split("->")[0].replace(" ", "").split(",")
    for k in range(len(parts)):
        if not ranked(parts[k]) and "." not in equation and len(terms) == len(parts):
            require_rank(parts[k], len(terms[k]))
        if not ranked(parts[k]):
            return named_result(equation, dtype)
    shapes = [shape_of(x) for x in parts]
    whole, count = with_ellipsis(equation)
    made = einsum_shape(whole, shapes, error=RuntimeError)
    return tensor(made if count is None or not has_rank(made) else made[len(made) - count :], dtype)


def is_matrix_product(equation, parts):
    """Whether a label of both operands, of a size other than 1, is summed over; bools are no matter of dtypes then."""
    if "->" not in equation or "." in equation or not ranked(parts[0]):
        return False
    for x in parts:
        if is_unknown(dtype_of(x)):
            return False
    operands, result = equation.replace(" ", "").split("->")
    names = operands.split(",")
    if len(names) != 2 or len(names[0]) != len(shape_of(parts[0])):
        return False
    for label, size in zip(names[0], shape_of(parts[0])):
        if label in names[1] and label not in result and proved(size > 1):
            return True
    return False


def joint_dtype(first, second):
    """The type of an einsum of several operands; whether one that meets bools is a product depends on the equation."""
    return (
        first if not is_unknown(first) and not is_unknown(second) and first == second else unknown("the dtypes differ")
    )


def named_result(equation, dtype):
    """What einsum gives of operands whose ranks are not known: the equation names the axes of the result."""
    if "..." in equation or "->" not in equation:
        return unranked(dtype)
    named = equation.split("->")[1].replace(" ", "")
    return tensor(tuple([fresh("size") for _ in named]), dtype)


def _contracted(left, right, one, two):
    """Sizes that are summed over are equal, or one of them is 1."""
    require(
        one == two or one == 1 or two == 1,
        RuntimeError,
        f"tensordot of {left} and {right}: {one} ≠ {two}",
        rule="matmul-mismatch",
    )


@lifted(asked_arg if not IS_OLD else tensor_arg, "a", "b", constant=("dims",), ranked=True, otherwise=any_tensor)
def tensordot(a, b, dims=2, out=None):
    left = shape_of(a)
    right = shape_of(b)
    if isinstance(dims, int):
        require(dims >= 0, RuntimeError, f"tensordot needs a number of dimensions that is not negative, not {dims}")
        if dims > len(left) or dims > len(right):
            if not IS_NEW:
                return unranked()
            raise RuntimeError(f"tensordot over {dims} dimensions does not fit shapes {left} and {right}")
        first = list(range(len(left) - dims, len(left)))
        second = list(range(dims))
    else:
        if not IS_NEW and (
            [dim for dim in dims[0] if dim >= len(left)] or [dim for dim in dims[1] if dim >= len(right)]
        ):
            return unranked()
        require(len(dims[0]) == len(dims[1]), RuntimeError, "tensordot needs as many dims on both sides")
        for one, two in zip(dims[0], dims[1]):
            _contracted(left, right, left[axis(one, len(left))], right[axis(two, len(right))])
        first = axes(dims[0], len(left))
        second = axes(dims[1], len(right))
    for k in range(len(first)):
        _contracted(left, right, left[first[k]], right[second[k]])
    rest = [left[k] for k in range(len(left)) if k not in first] + [
        right[k] for k in range(len(right)) if k not in second
    ]
    return tensor(tuple(rest), one_dtype(a, b))


@lifted(tensor_arg, "input", "other", ranked=True, otherwise=any_tensor)
def kron(input, other, *, out=None):
    a = shape_of(input)
    b = shape_of(other)
    rank = max(len(a), len(b))
    a = (1,) * (rank - len(a)) + a
    b = (1,) * (rank - len(b)) + b
    return tensor(tuple([a[k] * b[k] for k in range(rank)]), _dtypes.result(input, other))


@lifted(tensor_arg, "input", "other", ranked=True, otherwise=any_tensor)
def cross(input, other, dim=None, *, out=None):
    require(
        len(shape_of(input)) == len(shape_of(other)),
        RuntimeError,
        f"cross of {shape_of(input)} and {shape_of(other)}: the ranks differ",
    )
    if dim is None or is_unknown(dim):
        joined = broadcast(shape_of(input), shape_of(other), error=RuntimeError)
        for shape in (joined, shape_of(input)):
            if dim is None and not [size for size in shape if not refuted(size == 3)]:
                raise RuntimeError(f"cross of shape {shape}: no dimension has size 3")
        if IS_NEW and not [size for size in joined if not proved(size > 0)]:
            own, given = dtype_of(input), dtype_of(other)
            if not is_unknown(own) and not is_unknown(given):
                require(own == given, RuntimeError, f"cross needs one element type, not {own} and {given}")
        return tensor(broadcast(shape_of(input), shape_of(other), error=RuntimeError), _dtypes.result(input, other))
    from ._make import axis

    if len(shape_of(input)) == 0:
        if IS_NEW:
            require(False, IndexError, "cross of scalars: there is no dimension", rule="axis-out-of-range")
        return unranked()
    place = axis(dim, len(shape_of(input)))
    for shape in (shape_of(input), shape_of(other)):
        require(shape[place] == 3, RuntimeError, f"cross needs size 3 at dim {dim}, not shape {shape}")
    return tensor(broadcast(shape_of(input), shape_of(other), error=RuntimeError), _dtypes.result(input, other))


@lifted(tensor_arg, "x1", "x2", ranked=True, otherwise=any_tensor)
def cdist(x1, x2, p=2.0, compute_mode=None):
    a = shape_of(x1)
    b = shape_of(x2)
    require(len(a) >= 2 and len(b) >= 2, RuntimeError, f"cdist needs at least two dimensions, not shapes {a} and {b}")
    require(a[-1] == b[-1], RuntimeError, f"cdist of {a} and {b}: {a[-1]} ≠ {b[-1]}", rule="matmul-mismatch")
    batch = broadcast(a[:-2], b[:-2], error=RuntimeError)
    return tensor(batch + (a[-2], b[-2]), dtype_of(x1))


def multi_dot(tensors, *, out=None):
    from ._joining import several

    parts = several(tensors)
    if is_unknown(parts):
        return unranked()
    require(len(parts) >= 2, RuntimeError, "multi_dot needs at least two tensors")
    for k in range(len(parts)):
        if ranked(parts[k]):
            least = 1 if k in (0, len(parts) - 1) else 2
            require(
                least <= len(shape_of(parts[k])) and len(shape_of(parts[k])) <= 2,
                RuntimeError,
                f"multi_dot takes matrices, with vectors at its ends, not shape {shape_of(parts[k])}",
                rule="matmul-mismatch",
            )
    result = parts[0]
    for x in parts[1:]:
        result = matmul(result, x)
    return result


def chain_matmul(*matrices, out=None):
    from ._joining import several

    parts = several(list(matrices))
    if is_unknown(parts):
        return unranked()
    result = parts[0]
    for x in parts:
        rank_is(x, 2, "chain_matmul")
    for x in parts[1:]:
        result = matmul(result, x)
    return tensor(shape_of(result), dtype_of(result))


class Products:
    """Methods of Tensor that multiply matrices."""

    matmul = matmul
    mm = mm
    bmm = bmm
    mv = mv
    dot = vdot = dot
    outer = ger = outer
    inner = inner_product
    addmm = addmm
    baddbmm = baddbmm
    addbmm = addbmm
    addmv = addmv
    addr = addr
    kron = kron
    cross = cross

    def __matmul__(self, other):
        # PyTorch leaves what is no tensor to the other operand.
        if not is_array(other) and proved(hasattr(type(other), "__rmatmul__")):
            return NotImplemented
        return matmul(self, other)

    def __rmatmul__(self, other):
        return matmul(other, self)
