"""jax.nn: activations and their like."""

from _pytrope import dtype_of, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from ._array import new_array


def mapped(x, *args, **options):
    """A function that keeps the shape; integers become floats in some of them."""
    if not is_array(x):
        return unknown("a function of a value that is not an array")
    dtype = dtype_of(x)
    floats = not is_unknown(dtype) and dtype in ("float16", "float32")
    return new_array(shape_of(x), dtype if floats else unknown("a dtype"))


relu = relu6 = sigmoid = softplus = soft_sign = silu = swish = log_sigmoid = leaky_relu = hard_tanh = elu = celu = (
    mapped
)
selu = gelu = tanh = standardize = mapped


def softmax(x, axis=-1, where=None, **options):
    """Along one axis, which the array must have."""
    if is_array(x) and has_rank(shape_of(x)) and isinstance(axis, int) and is_constant(axis):
        rank = len(shape_of(x))
        require(
            -rank <= axis and axis < rank,
            ValueError,
            f"axis {axis} is out of bounds for shape {shape_of(x)} of rank {rank}",
            rule="axis-out-of-range",
        )
    return mapped(x)


log_softmax = softmax


def one_hot(x, num_classes, *, dtype=None, axis=-1):
    if not is_array(x) or not has_rank(shape_of(x)) or is_unknown(num_classes) or axis != -1:
        return unknown("one-hot codes of an unknown value")
    return new_array(shape_of(x) + (num_classes,), "float32" if dtype is None else unknown("a dtype"))


def dot_product_attention(query, key, value, *args, **options):
    """Attention of (batch, length, heads, size), or the same without the batch; heads of queries may share keys."""
    for x in (query, key, value):
        if not is_array(x) or not has_rank(shape_of(x)) or len(shape_of(x)) not in (3, 4):
            return unknown("attention of an unknown value")
    q, k, v = shape_of(query), shape_of(key), shape_of(value)
    if len(q) != len(k) or len(k) != len(v):
        return unknown("attention of different ranks")
    for a, b in zip(k, v):
        require(a == b, ValueError, f"keys of shape {k} and values of shape {v}", rule="shape-argument")
    require(q[-1] == k[-1], ValueError, f"queries of shape {q} and keys of shape {k}", rule="shape-argument")
    if len(q) == 4:
        require(q[0] == k[0], ValueError, f"queries of shape {q} and keys of shape {k}", rule="shape-argument")
    if is_constant(q[-2]) and is_constant(k[-2]) and k[-2] > 0:
        require(q[-2] % k[-2] == 0, ValueError, f"{q[-2]} heads of queries and {k[-2]} of keys", rule="shape-argument")
    return new_array(q, dtype_of(query))


def __getattr__(name):
    return unknown(name)
