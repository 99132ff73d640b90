"""Matrix products, einsum and tensordot."""

from _pytrope import broadcast, dtype_of, einsum_shape, is_constant, is_unknown, matmul_shape, require, shape_of

from . import _dtypes
from ._make import axes, tensor_arg, is_tensor, ranked, tensor, unranked


def one_dtype(first, second):
    """Products need equal dtypes and say so."""
    a = dtype_of(first)
    b = dtype_of(second)
    if is_unknown(a) or is_unknown(b):
        return b if is_unknown(a) else a
    require(a == b, RuntimeError, f"a product needs one dtype, not {a} and {b}")
    return a


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


def matmul(input, other, *, out=None):
    x = tensor_arg(input)
    y = tensor_arg(other, "other")
    shape = matmul_shape(shape_of(x), shape_of(y), error=RuntimeError)
    return tensor(shape, one_dtype(x, y))


def mm(input, mat2, *, out=None):
    x = tensor_arg(input)
    y = tensor_arg(mat2, "mat2")
    rank_is(x, 2, "mm")
    rank_is(y, 2, "mm")
    if not ranked(x) or not ranked(y):
        return unranked(one_dtype(x, y))
    inner(x, y, shape_of(x)[1], shape_of(y)[0])
    return tensor((shape_of(x)[0], shape_of(y)[1]), one_dtype(x, y))


def bmm(input, mat2, *, out=None):
    x = tensor_arg(input)
    y = tensor_arg(mat2, "mat2")
    rank_is(x, 3, "bmm")
    rank_is(y, 3, "bmm")
    if not ranked(x) or not ranked(y):
        return unranked(one_dtype(x, y))
    a = shape_of(x)
    b = shape_of(y)
    require(
        a[0] == b[0],
        RuntimeError,
        f"batched product of {a} and {b}: the batches differ, {a[0]} ≠ {b[0]}",
        rule="matmul-mismatch",
    )
    inner(x, y, a[2], b[1])
    return tensor((a[0], a[1], b[2]), one_dtype(x, y))


def _mv_error(x):
    return IndexError if ranked(x) and len(shape_of(x)) == 0 else RuntimeError


def mv(input, vec, *, out=None):
    x = tensor_arg(input)
    y = tensor_arg(vec, "vec")
    if not ranked(x):
        return unranked(one_dtype(x, y))
    rank_is(x, 2, "mv", _mv_error(x))
    rank_is(y, 1, "mv")
    if not ranked(y):
        return unranked(one_dtype(x, y))
    inner(x, y, shape_of(x)[1], shape_of(y)[0])
    return tensor((shape_of(x)[0],), one_dtype(x, y))


def dot(input, other, *, out=None):
    x = tensor_arg(input)
    y = tensor_arg(other, "other")
    rank_is(x, 1, "dot")
    rank_is(y, 1, "dot")
    if ranked(x) and ranked(y):
        inner(x, y, shape_of(x)[0], shape_of(y)[0])
    return tensor((), one_dtype(x, y))


def outer(input, vec2, *, out=None):
    x = tensor_arg(input)
    y = tensor_arg(vec2, "vec2")
    rank_is(x, 1, "outer")
    rank_is(y, 1, "outer")
    if not ranked(x) or not ranked(y):
        return unranked()
    return tensor((shape_of(x)[0], shape_of(y)[0]), _dtypes.result(x, y))


def inner_product(input, other, *, out=None):
    """torch.inner"""
    x = tensor_arg(input)
    y = tensor_arg(other, "other")
    if not ranked(x) or not ranked(y):
        return unranked()
    a = shape_of(x)
    b = shape_of(y)
    if len(a) == 0 or len(b) == 0:
        return tensor(a + b, _dtypes.result(x, y))
    inner(x, y, a[-1], b[-1])
    return tensor(a[:-1] + b[:-1], one_dtype(x, y))


def plus(bias, shape, dtype):
    """A product with something added that may only be expanded to it."""
    x = tensor_arg(bias)
    if ranked(x):
        own = shape_of(x)
        message = f"{own} cannot be expanded to the product's shape {shape}"
        require(len(own) <= len(shape), RuntimeError, message, rule="broadcast-mismatch")
        for k in range(1, len(own) + 1):
            require(own[-k] == shape[-k] or own[-k] == 1, RuntimeError, message, rule="broadcast-mismatch")
    return tensor(shape, dtype)


def addmm(input, mat1, mat2, *, beta=1, alpha=1, out=None):
    result = mm(mat1, mat2)
    return plus(input, shape_of(result), dtype_of(result)) if ranked(result) else result


def _batches(batch1, batch2):
    """The fused products look at the third dimension before the rank."""
    batch = tensor_arg(batch2)
    if ranked(batch):
        require(
            len(shape_of(batch)) >= 3,
            IndexError,
            f"a batch of matrices has rank 3, not shape {shape_of(batch)}",
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
    if is_unknown(parts) or len(parts) == 0:
        return unranked()
    dtype = dtype_of(parts[0])
    for x in parts:
        if not ranked(x):
            return unranked(dtype)
    return tensor(einsum_shape(equation, [shape_of(x) for x in parts], error=RuntimeError), dtype)


def tensordot(a, b, dims=2, out=None):
    x = tensor_arg(a)
    y = tensor_arg(b)
    if not ranked(x) or not ranked(y) or not is_constant(dims):
        return unranked()
    left = shape_of(x)
    right = shape_of(y)
    if isinstance(dims, int):
        require(dims >= 0, RuntimeError, f"tensordot over {dims} dimensions")
        if dims > len(left) or dims > len(right):
            raise (RuntimeError if dims <= len(left) else IndexError)(
                f"tensordot over {dims} dimensions of shapes {left} and {right}"
            )
        first = list(range(len(left) - dims, len(left)))
        second = list(range(dims))
    else:
        for dim in dims[0]:
            if dim >= len(left):
                return unranked()
        for dim in dims[1]:
            if dim >= len(right):
                return unranked()
        first = axes(dims[0], len(left))
        second = axes(dims[1], len(right))
        require(len(first) == len(second), RuntimeError, "tensordot needs as many dims on both sides")
    for k in range(len(first)):
        one = left[first[k]]
        two = right[second[k]]
        require(
            one == two or one == 1 or two == 1,
            RuntimeError,
            f"tensordot of {left} and {right}: {one} ≠ {two}",
            rule="matmul-mismatch",
        )
    rest = [left[k] for k in range(len(left)) if k not in first] + [
        right[k] for k in range(len(right)) if k not in second
    ]
    return tensor(tuple(rest), one_dtype(x, y))


def kron(input, other, *, out=None):
    x = tensor_arg(input)
    y = tensor_arg(other, "other")
    if not ranked(x) or not ranked(y):
        return unranked()
    a = shape_of(x)
    b = shape_of(y)
    rank = max(len(a), len(b))
    a = (1,) * (rank - len(a)) + a
    b = (1,) * (rank - len(b)) + b
    return tensor(tuple([a[k] * b[k] for k in range(rank)]), _dtypes.result(x, y))


def cross(input, other, dim=None, *, out=None):
    x = tensor_arg(input)
    y = tensor_arg(other, "other")
    if not ranked(x) or not ranked(y):
        return unranked()
    require(
        len(shape_of(x)) == len(shape_of(y)),
        RuntimeError,
        f"cross of {shape_of(x)} and {shape_of(y)}: the ranks differ",
    )
    if dim is None or is_unknown(dim):
        return tensor(broadcast(shape_of(x), shape_of(y), error=RuntimeError), _dtypes.result(x, y))
    from ._make import axis

    place = axis(dim, len(shape_of(x)))
    for shape in (shape_of(x), shape_of(y)):
        require(shape[place] == 3, RuntimeError, f"cross needs size 3 at dim {dim}, not shape {shape}")
    return tensor(broadcast(shape_of(x), shape_of(y), error=RuntimeError), _dtypes.result(x, y))


def cdist(x1, x2, p=2.0, compute_mode=None):
    x = tensor_arg(x1)
    y = tensor_arg(x2)
    if not ranked(x) or not ranked(y):
        return unranked()
    a = shape_of(x)
    b = shape_of(y)
    require(len(a) >= 2 and len(b) >= 2, RuntimeError, f"cdist needs at least two dimensions: {a} and {b}")
    require(a[-1] == b[-1], RuntimeError, f"cdist of {a} and {b}: {a[-1]} ≠ {b[-1]}", rule="matmul-mismatch")
    batch = broadcast(a[:-2], b[:-2], error=RuntimeError)
    return tensor(batch + (a[-2], b[-2]), dtype_of(x))


def multi_dot(tensors, *, out=None):
    from ._joining import several

    parts = several(tensors)
    if is_unknown(parts):
        return unranked()
    require(len(parts) >= 2, RuntimeError, "multi_dot needs at least two tensors")
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
        return matmul(self, other)

    def __rmatmul__(self, other):
        return matmul(other, self)
