"""jax.Array: an array that cannot be changed. It does what NumPy's arrays do, with JAX's exceptions and 32-bit types.

A function of `jax.numpy` gives its arguments to the model of NumPy's function and takes the result back. Before,
a check says what JAX raises, with its class, and which calls are not judged.
"""

import numpy as np

from _pytrope import (
    array,
    broadcast,
    dtype_of,
    fresh,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    matmul_shape,
    require,
    reshape_shape,
    setting,
    shape_of,
    unknown,
)
from _shapes import as_sizes

from .errors import (
    ConcretizationTypeError,
    NonConcreteBooleanIndexError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
)

# The names of JAX's default types: without a setting of the program, numbers have 32 bits.
NARROW = {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}


def made(shape, dtype):
    """An array; 64-bit types are 32-bit ones here, unless the program has asked for them."""
    if not is_unknown(dtype) and dtype in NARROW:
        dtype = NARROW[dtype] if setting("jax.wide", False) is False else unknown("whether numbers have 64 bits")
    return new_array(shape, dtype)


def new_array(shape, dtype):
    """An array that an operation makes: while a function is traced, one without elements."""
    return array(Tracer if setting("jax.tracing", False) is True else Array, shape, dtype)


def is_traced(x):
    return not is_unknown(x) and is_array(x, Tracer)


def lowered(x):
    """An argument as NumPy's model takes it."""
    if is_array(x):
        if is_array(x, Array):
            plain = array(np.ndarray, shape_of(x), dtype_of(x))
            if is_traced(x):
                plain._traced = True
            return plain
        return x
    if isinstance(x, list) and has_rank(x):
        return [lowered(item) for item in x]
    if isinstance(x, tuple) and has_rank(x):
        return tuple([lowered(item) for item in x])
    return x


def lifted(x):
    """A result of NumPy's model as JAX has it."""
    if is_array(x):
        return made(shape_of(x), dtype_of(x))
    if isinstance(x, list) and has_rank(x):
        return [lifted(item) for item in x]
    if isinstance(x, tuple) and has_rank(x):
        return tuple([lifted(item) for item in x])
    return x


def as_jax(function, check=None):
    """A function of NumPy as JAX has it. The check says what JAX raises, and gives False for what is not judged."""

    def call(*args, **kwargs):
        given = [lowered(x) for x in args]
        named = {}
        for name, value in kwargs.items():
            if name not in ("precision", "preferred_element_type", "promote_integers", "out_sharding", "device"):
                named[name] = lowered(value)
        if check is not None and not check(given, named):
            return unknown("a call that is not checked")
        return lifted(function(*given, **named))

    return call


def numbers(given, named):
    """Operands that broadcast: arrays and numbers; a misfit is a TypeError."""
    parts = []
    for x in given:
        if is_unknown(x):
            return False
        if is_array(x):
            if not has_rank(shape_of(x)):
                return False
            parts.append(x)
        elif not isinstance(x, (bool, int, float, complex)):
            return not_listed(x)
    if len(parts) > 1:
        broadcast(*parts, error=TypeError if one_rank(parts) else ValueError)
    return True


def not_listed(x):
    """Lists and tuples are not made arrays by themselves. False: what else it is, is not judged."""
    if not is_unknown(x) and isinstance(x, (list, tuple)) and type(x) in (list, tuple):
        raise TypeError(f"an array or a number is taken here, not {type(x).__name__}; jnp.asarray() makes one")
    return False


def one_rank(parts):
    """Arrays of one rank whose sizes misfit are a TypeError, arrays of different ranks a ValueError."""
    for part in parts:
        if len(shape_of(part)) != len(shape_of(parts[0])):
            return False
    return True


def first_array(given, named):
    """The first argument is an array of known rank."""
    return len(given) > 0 and is_array(given[0]) and has_rank(shape_of(given[0]))


def axis_first(given, named):
    """An axis that the array lacks is a ValueError."""
    return has_axis(given, given[1] if len(given) > 1 else named.get("axis"), ValueError)


def axis_indexed(given, named):
    """An axis that the array lacks is an IndexError."""
    return has_axis(given, given[1] if len(given) > 1 else named.get("axis"), IndexError)


def axis_named(given, named):
    """An axis that is given by name, and that the array lacks, is a ValueError."""
    return has_axis(given, named.get("axis"), ValueError)


def has_axis(given, axis, error):
    """Whether the first argument is an array that has the axis; if not, the error is raised."""
    if len(given) > 0:
        not_listed(given[0])
    if not first_array(given, {}):
        return False
    if axis is None:
        return True
    rank = len(shape_of(given[0]))
    for one in axis if isinstance(axis, (tuple, list)) else [axis]:
        if is_unknown(one) or not isinstance(one, int) or not is_constant(one):
            return False
        require(
            -rank <= one and one < rank,
            error,
            f"axis {one} is out of bounds for shape {shape_of(given[0])} of rank {rank}",
            rule="axis-out-of-range",
        )
    return True


def contracted(given, named):
    """dot, inner, vdot, tensordot: only two arrays with axes are judged, and sizes that differ are a TypeError."""
    if len(given) < 2 or not is_array(given[0]) or not is_array(given[1]):
        return False
    one, two = shape_of(given[0]), shape_of(given[1])
    return has_rank(one) and has_rank(two)


def dotted(given, named):
    if not contracted(given, named):
        return False
    one, two = shape_of(given[0]), shape_of(given[1])
    if len(one) > 0 and len(two) > 0:
        other = two[-2] if len(two) > 1 else two[0]
        require(
            one[-1] == other,
            TypeError,
            f"dot of shapes {one} and {two}: {one[-1]} ≠ {other}",
            rule="matmul-mismatch",
        )
    return True


def multiplied(given, named):
    if not contracted(given, named):
        return False
    if len(shape_of(given[0])) == 0 or len(shape_of(given[1])) == 0:
        return False
    one, two = shape_of(given[0]), shape_of(given[1])
    other = two[-2] if len(two) > 1 else two[0]
    require(
        one[-1] == other,
        TypeError,
        f"matrix product of {one} and {two}: {one[-1]} ≠ {other}",
        rule="matmul-mismatch",
    )
    matmul_shape(given[0], given[1], error=ValueError)
    return True


def inner_sizes(given, named):
    if not contracted(given, named):
        return False
    one, two = shape_of(given[0]), shape_of(given[1])
    if len(one) > 0 and len(two) > 0:
        require(
            one[-1] == two[-1],
            TypeError,
            f"inner product of shapes {one} and {two}: {one[-1]} ≠ {two[-1]}",
            rule="matmul-mismatch",
        )
    return True


def rearranged(given, named):
    if not first_array(given, named) or len(given) < 2:
        return False
    new = as_sizes(given[1])
    if is_unknown(new) or not has_rank(new) or len(given) > 2 or "order" in named or (0 in new and -1 in new):
        return False
    reshape_shape(given[0], new, error=TypeError)
    return True


def combined(function, x, y):
    """An operator on two operands: lists are refused, other classes may have operators of their own."""
    if is_unknown(x) or is_unknown(y):
        return unknown("an operation on an unknown operand")
    if function is not equal and function is not not_equal:
        for operand in (x, y):
            not_listed(operand)
    for operand in (x, y):
        if not is_array(operand) and not isinstance(operand, (bool, int, float, complex)):
            return unknown("an operand that is not an array")
    return function(x, y)


def selected(x, key):
    """What a key selects. Integers out of range are clamped, so that they count as 0."""
    if is_unknown(key) or not has_rank(shape_of(x)):
        return unknown("an unknown index")
    parts = key if isinstance(key, tuple) else (key,)
    kept = []
    for part in parts:
        if is_unknown(part) or isinstance(part, (list, float, str)):
            return unknown("an unknown index")
        if isinstance(part, int) and not isinstance(part, bool) and not is_array(part):
            kept.append(0)
        elif is_array(part):
            if is_unknown(dtype_of(part)) or dtype_of(part) not in (
                "int8",
                "int16",
                "int32",
                "uint8",
                "uint32",
                "int64",
            ):
                if is_traced(part) and not is_unknown(dtype_of(part)) and dtype_of(part) == "bool":
                    raise NonConcreteBooleanIndexError("a traced mask selects an unknown number of elements")
                return unknown("a selection by a mask")
            kept.append(array(np.ndarray, shape_of(part), dtype_of(part)))
        else:
            kept.append(part)
    for size in shape_of(x):
        if is_constant(size) and size == 0:
            return unknown("an index into nothing")
    arrays = [part for part in kept if is_array(part)]
    for one in arrays:
        if not has_rank(shape_of(one)):
            return unknown("an index of unknown rank")
    if len(arrays) > 1:
        broadcast(*arrays, error=ValueError)
    given = 0
    for part in kept:
        if part is not None and part is not Ellipsis:
            given += 1
    require(
        given <= len(shape_of(x)),
        IndexError,
        f"{given} indices are too many for an array of shape {shape_of(x)}",
        rule="index-range",
    )
    return lifted(array(np.ndarray, shape_of(x), dtype_of(x))[tuple(kept)])


class _Place:
    """x.at[key]: functional updates."""

    def __init__(self, owner, key):
        self._owner = owner
        self._key = key

    def _updated(self, values):
        x = self._owner
        place = selected(x, self._key)
        if is_array(place) and is_array(values) and has_rank(shape_of(place)) and has_rank(shape_of(values)):
            room, given = shape_of(place), shape_of(values)
            message = f"values of shape {given} do not fit the selection of shape {room}"
            require(
                len(given) <= len(room) or (is_constant(given[0]) and given[0] == 1),
                ValueError,
                message,
                rule="broadcast-mismatch",
            )
            if len(given) <= len(room):
                for a, b in zip(given[::-1], room[::-1]):
                    if is_constant(a) and is_constant(b) and a != 1:
                        require(a == b, ValueError, message, rule="broadcast-mismatch")
        return new_array(shape_of(x), dtype_of(x))

    def set(self, values, **options):
        return self._updated(values)

    def add(self, values, **options):
        return self._updated(values)

    def subtract(self, values, **options):
        return self._updated(values)

    def multiply(self, values, **options):
        return self._updated(values)

    def mul(self, values, **options):
        return self._updated(values)

    def divide(self, values, **options):
        return self._updated(values)

    def power(self, values, **options):
        return self._updated(values)

    def min(self, values, **options):
        return self._updated(values)

    def max(self, values, **options):
        return self._updated(values)

    def get(self, **options):
        return selected(self._owner, self._key)

    def apply(self, function, **options):
        return new_array(shape_of(self._owner), dtype_of(self._owner))


class _At:
    def __init__(self, owner):
        self._owner = owner

    def __getitem__(self, key):
        return _Place(self._owner, key)


add = as_jax(np.add, numbers)
subtract = as_jax(np.subtract, numbers)
multiply = as_jax(np.multiply, numbers)
true_divide = as_jax(np.true_divide, numbers)
floor_divide = as_jax(np.floor_divide, numbers)
remainder = as_jax(np.mod, numbers)
power = as_jax(np.power, numbers)
matmul = as_jax(np.matmul, multiplied)
less = as_jax(np.less, numbers)
less_equal = as_jax(np.less_equal, numbers)
greater = as_jax(np.greater, numbers)
greater_equal = as_jax(np.greater_equal, numbers)
equal = as_jax(np.equal, numbers)
not_equal = as_jax(np.not_equal, numbers)
bitwise_and = as_jax(np.bitwise_and, numbers)
bitwise_or = as_jax(np.bitwise_or, numbers)
reshaped = as_jax(np.reshape, rearranged)


class Array:
    __array_priority__ = 100

    @property
    def shape(self):
        return shape_of(self)

    @property
    def ndim(self):
        return len(shape_of(self))

    @property
    def size(self):
        from _pytrope import product

        return product(shape_of(self)) if has_rank(shape_of(self)) else unknown("the number of elements")

    @property
    def dtype(self):
        return np.dtype(dtype_of(self))

    @property
    def T(self):
        return new_array(shape_of(self)[::-1], dtype_of(self)) if has_rank(shape_of(self)) else unknown("transposed")

    @property
    def mT(self):
        return as_jax(np.matrix_transpose, first_array)(self)

    @property
    def at(self):
        return _At(self)

    @property
    def real(self):
        return new_array(shape_of(self), unknown("the dtype of a part"))

    @property
    def imag(self):
        return new_array(shape_of(self), unknown("the dtype of a part"))

    def __getattr__(self, name):
        return unknown("a part of an array that is not modelled")

    def __getitem__(self, key):
        return selected(self, key)

    def __setitem__(self, key, value):
        raise TypeError("JAX arrays are immutable; x = x.at[key].set(value) makes a new one")

    def __len__(self):
        shape = shape_of(self)
        if not has_rank(shape):
            return fresh("length")
        if len(shape) == 0:
            raise TypeError("len() of unsized object")
        return shape[0]

    def __iter__(self):
        shape = shape_of(self)
        if not has_rank(shape) or len(shape) == 0 or not is_constant(shape[0]) or shape[0] > 64:
            return iter(unknown("the rows of an array"))
        return iter([new_array(shape[1:], dtype_of(self)) for _ in range(shape[0])])

    def __array__(self, dtype=None):
        return array(np.ndarray, shape_of(self), dtype_of(self))

    def __bool__(self):
        return bool(unknown("the truth of an array"))

    def __float__(self):
        return unknown("a number")

    def __int__(self):
        return unknown("a number")

    def __index__(self):
        return unknown("a number")

    def __hash__(self):
        return unknown("the hash of an array")

    def __add__(self, other):
        return combined(add, self, other)

    def __radd__(self, other):
        return combined(add, other, self)

    def __sub__(self, other):
        return combined(subtract, self, other)

    def __rsub__(self, other):
        return combined(subtract, other, self)

    def __mul__(self, other):
        return combined(multiply, self, other)

    def __rmul__(self, other):
        return combined(multiply, other, self)

    def __truediv__(self, other):
        return combined(true_divide, self, other)

    def __rtruediv__(self, other):
        return combined(true_divide, other, self)

    def __floordiv__(self, other):
        return combined(floor_divide, self, other)

    def __rfloordiv__(self, other):
        return combined(floor_divide, other, self)

    def __mod__(self, other):
        return combined(remainder, self, other)

    def __rmod__(self, other):
        return combined(remainder, other, self)

    def __pow__(self, other):
        return combined(power, self, other)

    def __rpow__(self, other):
        return combined(power, other, self)

    def __matmul__(self, other):
        return combined(product_of, self, other)

    def __rmatmul__(self, other):
        return combined(product_of, other, self)

    def __lt__(self, other):
        return combined(less, self, other)

    def __le__(self, other):
        return combined(less_equal, self, other)

    def __gt__(self, other):
        return combined(greater, self, other)

    def __ge__(self, other):
        return combined(greater_equal, self, other)

    def __eq__(self, other):
        return combined(equal, self, other)

    def __ne__(self, other):
        return combined(not_equal, self, other)

    def __and__(self, other):
        return combined(bitwise_and, self, other)

    def __or__(self, other):
        return combined(bitwise_or, self, other)

    def __invert__(self):
        return new_array(shape_of(self), dtype_of(self))

    def __neg__(self):
        return new_array(shape_of(self), dtype_of(self))

    def __pos__(self):
        return new_array(shape_of(self), dtype_of(self))

    def __abs__(self):
        return new_array(shape_of(self), unknown("the dtype of a magnitude"))

    def reshape(self, *sizes, order="C"):
        return reshaped(self, sizes[0] if len(sizes) == 1 else sizes)

    def transpose(self, *axes):
        from jax.numpy import transpose

        if len(axes) == 0:
            return transpose(self)
        return transpose(self, axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes)

    def astype(self, dtype, **options):
        return as_jax(np.astype, first_array)(self, dtype)

    def copy(self):
        return new_array(shape_of(self), dtype_of(self))

    def block_until_ready(self):
        return self

    def item(self, *args):
        return unknown("a number")

    def tolist(self):
        return unknown("numbers in lists")

    def flatten(self, order="C"):
        return reshaped(self, (-1,))

    def ravel(self, order="C"):
        return reshaped(self, (-1,))

    def _reduced(self, name, axis, keepdims):
        from jax import numpy as jnp

        return getattr(jnp, name)(self, axis=axis, keepdims=keepdims)

    def sum(self, axis=None, dtype=None, out=None, keepdims=False, **options):
        return self._reduced("sum", axis, keepdims)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False, **options):
        return self._reduced("prod", axis, keepdims)

    def mean(self, axis=None, dtype=None, out=None, keepdims=False, **options):
        return self._reduced("mean", axis, keepdims)

    def std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **options):
        return self._reduced("std", axis, keepdims)

    def var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **options):
        return self._reduced("var", axis, keepdims)

    def max(self, axis=None, out=None, keepdims=False, **options):
        return self._reduced("max", axis, keepdims)

    def min(self, axis=None, out=None, keepdims=False, **options):
        return self._reduced("min", axis, keepdims)

    def all(self, axis=None, out=None, keepdims=False, **options):
        return self._reduced("all", axis, keepdims)

    def any(self, axis=None, out=None, keepdims=False, **options):
        return self._reduced("any", axis, keepdims)

    def argmax(self, axis=None, out=None, keepdims=None):
        from jax import numpy as jnp

        return jnp.argmax(self, axis=axis)

    def argmin(self, axis=None, out=None, keepdims=None):
        from jax import numpy as jnp

        return jnp.argmin(self, axis=axis)

    def squeeze(self, axis=None):
        from jax import numpy as jnp

        return jnp.squeeze(self, axis=axis)

    def dot(self, b, **options):
        from jax import numpy as jnp

        return jnp.dot(self, b)

    def swapaxes(self, axis1, axis2):
        from jax import numpy as jnp

        return jnp.swapaxes(self, axis1, axis2)

    def cumsum(self, axis=None, dtype=None, out=None):
        from jax import numpy as jnp

        return jnp.cumsum(self, axis=axis)

    def cumprod(self, axis=None, dtype=None, out=None):
        from jax import numpy as jnp

        return jnp.cumprod(self, axis=axis)

    def argsort(self, axis=-1, **options):
        from jax import numpy as jnp

        return jnp.argsort(self, axis=axis)

    def sort(self, axis=-1, **options):
        from jax import numpy as jnp

        return jnp.sort(self, axis=axis)

    def trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None):
        from jax import numpy as jnp

        return jnp.trace(self) if offset == 0 and axis1 == 0 and axis2 == 1 else unknown("a trace")

    def clip(self, min=None, max=None):
        return new_array(shape_of(self), dtype_of(self))

    def round(self, decimals=0, out=None):
        return new_array(shape_of(self), dtype_of(self))

    def conj(self):
        return new_array(shape_of(self), dtype_of(self))


class Tracer(Array):
    """An array inside a function that is compiled: its shape is known, its elements are not."""

    def __array__(self, dtype=None):
        raise TracerArrayConversionError("a traced array has no elements that NumPy could take; use jax.numpy")

    def __bool__(self):
        raise TracerBoolConversionError("the truth value of a traced array is not known while the function is compiled")

    def __float__(self):
        raise ConcretizationTypeError("the elements of a traced array are not known while the function is compiled")

    def __int__(self):
        raise ConcretizationTypeError("the elements of a traced array are not known while the function is compiled")

    def __index__(self):
        raise TracerIntegerConversionError("a traced array is no index while the function is compiled")

    def item(self, *args):
        raise ConcretizationTypeError("the elements of a traced array are not known while the function is compiled")

    def tolist(self):
        raise ConcretizationTypeError("the elements of a traced array are not known while the function is compiled")


def product_of(x, y):
    """`x @ y`; what has no axis is refused in another way."""
    for operand in (x, y):
        if not is_array(operand) or not has_rank(shape_of(operand)) or len(shape_of(operand)) == 0:
            return unknown("a product with a number")
    return matmul(x, y)
