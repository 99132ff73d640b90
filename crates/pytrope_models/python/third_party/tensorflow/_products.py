"""Products of tensors: matmul, tensordot, einsum."""

from _pytrope import dtype_of, fresh, has_rank, is_constant, is_unknown, matmul_shape, require, shape_of, unknown

from ._make import shown, all_constant, converted, is_same, like, misfit, operands, ranked, same_dtype


def turned(shape, wanted):
    return shape[:-2] + (shape[-1], shape[-2]) if wanted else shape


def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, *rest, **options):
    x, y = operands(a, b)
    if is_unknown(x) or is_unknown(y) or not ranked(x) or not ranked(y):
        return unknown("a product of unknown operands")
    if not is_constant(transpose_a) or not is_constant(transpose_b) or adjoint_a or adjoint_b:
        return unknown("a product that may be transposed")
    same_dtype(x, y)
    one, two = shape_of(x), shape_of(y)
    if len(one) < 2 or len(two) < 2:
        require(
            False,
            misfit(x, y),
            f"tf.matmul takes tensors of rank 2 or more, not shapes {shown(one)} and {shown(two)}",
            rule="matmul-mismatch",
        )
    one, two = turned(one, transpose_a), turned(two, transpose_b)
    if is_constant(one[-1]) and is_constant(two[-2]):
        if all_constant(one) and all_constant(two) and not transpose_a and not transpose_b:
            return like([x, y], matmul_shape(x, y, error=misfit(x, y)), dtype_of(x))
        require(
            one[-1] == two[-2],
            misfit(x, y),
            f"cannot multiply shapes {shown(one)} and {shown(two)}: {one[-1]} ≠ {two[-2]}",
            rule="matmul-mismatch",
        )
    batch = joined_batch(one[:-2], two[:-2])
    if batch is None:
        return unknown("a product of batches")
    return like([x, y], batch + (one[-2], two[-1]), dtype_of(x))


def joined_batch(one, two):
    """The common leading sizes; None where sizes that are not known would decide."""
    longer, shorter = (one, two) if len(one) >= len(two) else (two, one)
    gap = len(longer) - len(shorter)
    sizes = list(longer[:gap])
    for a, b in zip(longer[gap:], shorter):
        if is_constant(a) and is_constant(b):
            if a != b and a != 1 and b != 1:
                return None
            sizes.append(b if a == 1 else a)
        elif is_same(a, b):
            sizes.append(a)
        else:
            sizes.append(fresh("size"))
    return tuple(sizes)


def tensordot(a, b, axes, name=None):
    x, y = operands(a, b)
    if is_unknown(x) or is_unknown(y) or not ranked(x) or not ranked(y) or is_unknown(axes):
        return unknown("a product of unknown operands")
    one, two = shape_of(x), shape_of(y)
    if isinstance(axes, int) and is_constant(axes) and 0 <= axes and axes <= len(one) and axes <= len(two):
        left, right = list(range(len(one) - axes, len(one))), list(range(axes))
    elif isinstance(axes, (tuple, list)) and len(axes) == 2 and is_constant(axes):
        left = [axes[0]] if isinstance(axes[0], int) else list(axes[0])
        right = [axes[1]] if isinstance(axes[1], int) else list(axes[1])
    else:
        return unknown("a product along unknown axes")
    if len(left) != len(right):
        return unknown("a product along unknown axes")
    left = [place + len(one) if place < 0 else place for place in left]
    right = [place + len(two) if place < 0 else place for place in right]
    for p, q in zip(left, right):
        if p < 0 or q < 0 or p >= len(one) or q >= len(two):
            return unknown("a product along axes that are not there")
        if is_constant(one[p]) and is_constant(two[q]):
            require(
                one[p] == two[q],
                misfit(x, y),
                f"cannot contract axis {p} of shape {shown(one)} with axis {q} of shape {shown(two)}",
                rule="matmul-mismatch",
            )
    rest = [one[place] for place in range(len(one)) if place not in left]
    rest.extend([two[place] for place in range(len(two)) if place not in right])
    return like([x, y], tuple(rest), dtype_of(x))


def einsum(equation, *inputs, **options):
    from _pytrope import einsum_shape

    tensors = [converted(x) for x in inputs]
    shapes = []
    for x in tensors:
        if is_unknown(x) or not ranked(x) or not all_constant(shape_of(x)):
            return unknown("einsum of unknown operands")
        shapes.append(shape_of(x))
    if not is_constant(equation) or not isinstance(equation, str) or "." in equation or "->" not in equation:
        return unknown("einsum with an unknown equation")
    return like(tensors, einsum_shape(equation, shapes, error=misfit(*tensors)), dtype_of(tensors[0]))


def matvec(a, b, *rest, **options):
    return unknown("a product of a matrix and a vector")
