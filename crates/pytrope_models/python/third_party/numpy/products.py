"""Products of arrays: dot, matmul, einsum, tensordot, outer and relatives; convolution and polynomials."""

from _pytrope import (
    array,
    array_like,
    broadcast,
    dtype_of,
    einsum_shape,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    lifted,
    product,
    promote,
    proved,
    require,
    shape_of,
    unknown,
)

from _shapes import as_index, check_axis, check_axes, element_count, smaller, larger, drop_axis

from ._array import ndarray, wrap
from ._convert import as_array_arg, lift_all
from ._dtypes import mean_of, strong
from ._out import into
from ._selection import dot_shape, matrix_shape, product_of
from .exceptions import AxisError


def both(a, b):
    """Two arguments as arrays; None when one is not known."""
    a, b = as_array_arg(a), as_array_arg(b)
    if is_unknown(a) or is_unknown(b):
        return None
    return a, b


def common(a, b):
    """The dtype of a product."""
    if is_unknown(dtype_of(a)) or is_unknown(dtype_of(b)):
        return unknown("the dtype of a product")
    return promote(dtype_of(a), dtype_of(b))


def dot(a, b, out=None):
    if out is not None:
        return into(out)
    pair = both(a, b)
    if pair is None:
        return unknown("a product of unknown arrays")
    return product_of(pair[0], pair[0], pair[1], dot_shape)


def matmul(x1, x2, /, out=None, *, casting="same_kind", order="K", dtype=None, subok=True, axes=None, axis=None):
    pair = both(x1, x2)
    if pair is None or axes is not None:
        return unknown("a product of unknown arrays")
    result = product_of(pair[0], pair[0], pair[1], matrix_shape)
    if out is not None:
        return out
    return result


def vdot(a, b, /):
    pair = both(a, b)
    if pair is None:
        return unknown("a product of unknown arrays")
    first, second = element_count(shape_of(pair[0])), element_count(shape_of(pair[1]))
    if not is_unknown(first) and not is_unknown(second):
        require(
            first == second,
            ValueError,
            f"vdot of {shape_of(pair[0])} and {shape_of(pair[1])}: {first} ≠ {second} elements",
            rule="matmul-mismatch",
        )
    return wrap((), common(*pair))


def inner(a, b, /):
    pair = both(a, b)
    if pair is None:
        return unknown("a product of unknown arrays")
    x, y = shape_of(pair[0]), shape_of(pair[1])
    if not has_rank(x) or not has_rank(y):
        return unknown("a product of unknown ranks")
    if len(x) == 0 or len(y) == 0:
        return wrap(x + y, common(*pair))
    require(
        x[-1] == y[-1],
        ValueError,
        f"inner product of {x} and {y}: the last axes differ, {x[-1]} ≠ {y[-1]}",
        rule="matmul-mismatch",
    )
    return wrap(x[:-1] + y[:-1], common(*pair))


def outer(a, b, out=None):
    if out is not None:
        return into(out)
    pair = both(a, b)
    if pair is None:
        return unknown("a product of unknown arrays")
    return array(ndarray, (element_count(shape_of(pair[0])), element_count(shape_of(pair[1]))), common(*pair))


def vecdot(x1, x2, /, **kwargs):
    pair = both(x1, x2)
    if pair is None or len(kwargs) > 0:
        return unknown("a product of unknown arrays")
    x, y = shape_of(pair[0]), shape_of(pair[1])
    if not has_rank(x) or not has_rank(y):
        return unknown("a product of unknown ranks")
    require(
        len(x) > 0 and len(y) > 0,
        ValueError,
        "vecdot needs at least one dimension on each side",
        rule="matmul-mismatch",
    )
    require(
        x[-1] == y[-1],
        ValueError,
        f"vecdot of {x} and {y}: the last axes differ, {x[-1]} ≠ {y[-1]}",
        rule="matmul-mismatch",
    )
    return wrap(broadcast(x[:-1], y[:-1]), common(*pair))


def kron(a, b):
    pair = both(a, b)
    if pair is None:
        return unknown("a product of unknown arrays")
    x, y = shape_of(pair[0]), shape_of(pair[1])
    if not has_rank(x) or not has_rank(y):
        return unknown("a product of unknown ranks")
    if len(x) == 0 or len(y) == 0:
        return array(ndarray, x + y, common(*pair)) if len(x) + len(y) > 0 else wrap((), common(*pair))
    rank = max(len(x), len(y))
    x = (1,) * (rank - len(x)) + x
    y = (1,) * (rank - len(y)) + y
    return array(
        ndarray,
        tuple([unknown("a size") if is_unknown(p) or is_unknown(q) else p * q for p, q in zip(x, y)]),
        common(*pair),
    )


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    pair = both(a, b)
    if pair is None or axis is not None or axisa != -1 or axisb != -1 or axisc != -1:
        return unknown("a cross product of unknown arrays")
    x, y = shape_of(pair[0]), shape_of(pair[1])
    if not has_rank(x) or not has_rank(y):
        return unknown("a cross product of unknown ranks")
    require(
        len(x) > 0 and len(y) > 0,
        ValueError,
        "a cross product needs at least one dimension on each side",
        rule="shape-argument",
    )
    if is_unknown(x[-1]) or is_unknown(y[-1]) or not is_constant(x[-1]) or not is_constant(y[-1]):
        return unknown("a cross product of unknown sizes")
    if x[-1] not in (2, 3) or y[-1] not in (2, 3):
        require(
            False, ValueError, f"a cross product needs vectors of 3 elements, not {x} and {y}", rule="shape-argument"
        )
    if x[-1] == 2 or y[-1] == 2:
        return unknown("a cross product in the plane")
    return array(ndarray, broadcast(x[:-1], y[:-1]) + (3,), common(*pair))


def tensordot(a, b, axes=2):
    pair = both(a, b)
    if pair is None:
        return unknown("a product of unknown arrays")
    x, y = shape_of(pair[0]), shape_of(pair[1])
    if not has_rank(x) or not has_rank(y):
        return unknown("a product of unknown ranks")
    axes = as_index(axes)
    if isinstance(axes, int):
        if not is_constant(axes):
            return unknown("a product over unknown axes")
        left = list(range(-axes, 0))
        right = list(range(axes))
        require(
            axes <= len(x) and axes <= len(y),
            IndexError if axes > 0 else ValueError,
            f"tensordot over {axes} axes does not fit shapes {x} and {y}",
            rule="matmul-mismatch",
        )
    elif isinstance(axes, (tuple, list)) and has_rank(axes) and len(axes) == 2:
        left = list(axes[0]) if isinstance(axes[0], (tuple, list)) else [axes[0]]
        right = list(axes[1]) if isinstance(axes[1], (tuple, list)) else [axes[1]]
        require(
            len(left) == len(right),
            ValueError,
            f"tensordot contracts {len(left)} axes with {len(right)}",
            rule="matmul-mismatch",
        )
    else:
        return unknown("a product over unknown axes")
    gone_left = []
    gone_right = []
    for first, second in zip(left, right):
        if not is_constant(first) or not is_constant(second):
            return unknown("a product over unknown axes")
        require(
            -len(x) <= first and first < len(x) and -len(y) <= second and second < len(y),
            IndexError,
            f"axes {axes} are out of range for {x} and {y}",
            rule="axis-out-of-range",
        )
        require(
            x[first] == y[second],
            ValueError,
            f"tensordot of {x} and {y}: axis {first} has {x[first]}, axis {second} has {y[second]}",
            rule="matmul-mismatch",
        )
        gone_left.append(first % len(x))
        gone_right.append(second % len(y))
    kept = [size for place, size in enumerate(x) if place not in gone_left]
    more = [size for place, size in enumerate(y) if place not in gone_right]
    return array(ndarray, tuple(kept + more), common(*pair))


def einsum(*operands, out=None, optimize=False, dtype=None, order="K", casting="safe"):
    if not has_rank(operands) or len(operands) == 0:
        return unknown("einsum of unknown operands")
    spec = operands[0]
    if not isinstance(spec, str) or not is_constant(spec):
        return unknown("einsum with an unknown specification")
    shapes = []
    names = []
    for operand in operands[1:]:
        given, name, _ = array_like(operand)
        if is_unknown(given):
            return unknown("einsum of an unknown operand")
        shapes.append(given)
        names.append(strong(name))
    result = einsum_shape(spec, shapes)
    if out is not None:
        return out
    name = unknown("the dtype of a product")
    if len(names) > 0:
        name = promote(*names)
    if optimize is not False and has_rank(result) and len(result) == 0:
        return unknown("a scalar or an array of rank 0, depending on the contraction path")
    return wrap(result, name)


def einsum_path(*operands, **kwargs):
    return unknown("a contraction path")


def vector(x, what):
    """An argument that is raised to a vector."""
    a = as_array_arg(x)
    if is_unknown(a) or not has_rank(shape_of(a)):
        return None
    shape = shape_of(a)
    if len(shape) == 0:
        return a, 1
    require(len(shape) == 1, ValueError, f"{what} needs vectors, not shape {shape}", rule="shape-argument")
    return a, shape[0]


def overlap(n, m, mode):
    """The length of a convolution."""
    if not is_constant(mode) or not isinstance(mode, str) or is_unknown(n) or is_unknown(m):
        return unknown("the length of a convolution")
    if mode == "full":
        return n + m - 1
    if mode == "same":
        return larger(n, m)
    if mode == "valid":
        least = smaller(n, m)
        most = larger(n, m)
        if is_unknown(least) or is_unknown(most):
            return unknown("the length of a convolution")
        return most - least + 1
    raise ValueError(f"mode '{mode}' is not 'full', 'same' or 'valid'")


def slid(a, v, mode, what):
    """The result of `convolve` or `correlate`."""
    first, second = vector(a, what), vector(v, what)
    if first is None or second is None:
        return unknown("a convolution of unknown arrays")
    x, n = first
    y, m = second
    for size in (n, m):
        if is_constant(size) and size == 0:
            raise ValueError(f"{what} of an empty vector")
    return array(ndarray, (overlap(n, m, mode),), common(x, y))


def convolve(a, v, mode="full"):
    return slid(a, v, mode, "convolve")


def correlate(a, v, mode="valid"):
    return slid(a, v, mode, "correlate")


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    pair = both(x, y)
    if pair is None:
        return unknown("a fit of unknown arrays")
    if full is not False or cov is not False or not isinstance(deg, int):
        return unknown("a fit with further results")
    if is_constant(deg):
        require(deg >= 0, ValueError, f"the degree of a fit may not be negative: {deg}", rule="shape-argument")
    a, b = shape_of(pair[0]), shape_of(pair[1])
    if not has_rank(a) or not has_rank(b):
        return unknown("a fit of unknown ranks")
    require(len(a) == 1, TypeError, f"x of a fit must be a vector, not shape {a}", rule="shape-argument")
    if is_constant(a[0]):
        require(a[0] > 0, TypeError, "x of a fit may not be empty", rule="shape-argument")
    require(
        len(b) in (1, 2), TypeError, f"y of a fit must be a vector or a matrix, not shape {b}", rule="shape-argument"
    )
    require(a[0] == b[0], TypeError, f"x and y of a fit differ in length: {a} and {b}", rule="shape-argument")
    return array(ndarray, (deg + 1,) + b[1:], "float64")


def polyval(p, x):
    pair = both(p, x)
    if pair is None:
        return unknown("a polynomial of an unknown array")
    coefficients = shape_of(pair[0])
    if not has_rank(coefficients) or len(coefficients) != 1:
        return unknown("a polynomial whose coefficients are arrays")
    return wrap(shape_of(pair[1]), unknown("the dtype of a polynomial"))


def polynomial(*args, **kwargs):
    return unknown("a polynomial of a length that depends on values")


polyadd = polysub = polymul = polydiv = polyder = polyint = roots = poly = poly1d = polynomial


@lifted(as_array_arg, "y")
def trapezoid(y, x=None, dx=1.0, axis=-1):
    shape = shape_of(y)
    if not has_rank(shape):
        return unknown("an integral of an unknown rank")
    if not isinstance(dx, (int, float)):
        return unknown("an integral with several steps")
    if is_constant(axis):
        require(
            -len(shape) <= axis and axis < len(shape),
            IndexError if x is None else ValueError,
            f"axis {axis} is out of range for shape {shape}",
            rule="axis-out-of-range",
        )
    one = check_axis(axis, len(shape), IndexError, shape)
    if is_unknown(one):
        return unknown("an integral along an unknown axis")
    if x is not None:
        points = as_array_arg(x)
        if is_unknown(points) or not has_rank(shape_of(points)):
            return unknown("an integral over unknown points")
        if len(shape_of(points)) == 1:
            n, m = shape_of(points)[0], shape[one]
            if is_constant(n) and is_constant(m) and n > 2 and m > 2:
                require(
                    n == m,
                    ValueError,
                    f"{n} points do not fit {m} values along axis {one} of shape {shape}",
                    rule="broadcast-mismatch",
                )
        else:
            return unknown("an integral over points in several dimensions")
    return wrap(drop_axis(shape, one), mean_of(dtype_of(y)))


trapz = trapezoid
