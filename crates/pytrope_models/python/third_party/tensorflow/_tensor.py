"""The classes of tensors: eager ones, those of a graph of layers, and variables."""

from _pytrope import (
    array,
    dtype_of,
    fresh,
    has_rank,
    index_shape,
    is_array,
    is_constant,
    is_unknown,
    product,
    require,
    set_dtype,
    set_shape,
    shape_of,
    some,
    unknown,
    values_of,
)

from ._dtypes import group, value as dtype_value, written
from ._make import all_constant, broadcast_sizes, converted, like, misfit, operands, opened, ranked, same_dtype, tensor


class TensorShape:
    """A shape as a value; a size that is not known in advance reads as Unknown, as it may be None."""

    def __init__(self, dims=None):
        sizes = opened(dims)
        self._sizes = sizes

    def _read(self, size):
        return size if is_constant(size) else unknown("a size that is not known in advance")

    def __len__(self):
        return len(self._sizes)

    def __iter__(self):
        return iter(self.as_list())

    def __getitem__(self, key):
        if is_unknown(self._sizes) or not has_rank(self._sizes) or is_unknown(key):
            return unknown("a size of an unknown shape")
        if isinstance(key, slice):
            return TensorShape(self._sizes[key])
        if isinstance(key, int) and is_constant(key):
            require(
                -len(self._sizes) <= key and key < len(self._sizes),
                IndexError,
                f"index {key} is out of range for a shape of rank {len(self._sizes)}",
                rule="index-range",
            )
            return self._read(self._sizes[key])
        return unknown("a size of a shape")

    def as_list(self):
        if is_unknown(self._sizes) or not has_rank(self._sizes):
            return unknown("an unknown shape")
        return [self._read(size) for size in self._sizes]

    @property
    def rank(self):
        return len(self._sizes) if has_rank(self._sizes) else unknown("the rank is not known")

    @property
    def ndims(self):
        return len(self._sizes) if has_rank(self._sizes) else unknown("the rank is not known")

    @property
    def dims(self):
        return unknown("dimensions as objects")

    def num_elements(self):
        if has_rank(self._sizes) and all_constant(self._sizes):
            return product(self._sizes)
        return unknown("the number of elements")

    def __add__(self, other):
        return TensorShape(tuple(self.as_list()) + tuple(other))

    def __radd__(self, other):
        return TensorShape(tuple(other) + tuple(self.as_list()))

    def __eq__(self, other):
        return unknown("a comparison of shapes")

    def __ne__(self, other):
        return unknown("a comparison of shapes")

    def __getattr__(self, name):
        return unknown("a part of TensorShape that is not modelled")


def combine(first, second, dtype=None, op=None):
    """An elementwise operation on two operands."""
    a, b = operands(first, second)
    if is_unknown(a) or is_unknown(b):
        return unknown("an operation on an unknown operand")
    if dtype_of(a) == "string" or dtype_of(b) == "string":
        return unknown("an operation on strings")
    same_dtype(a, b)
    shape = broadcast_sizes(a, b)
    return like([a, b], shape, dtype_of(a) if dtype is None else dtype)


def divided(first, second):
    if is_array(first) and not is_unknown(second) and isinstance(second, float):
        kind = group(dtype_of(first))
        if not is_unknown(kind):
            require(
                kind != "i",
                TypeError,
                f"a tensor of {dtype_of(first)} cannot be divided by a float",
                rule="bad-operand",
            )
    a, b = operands(first, second)
    if is_unknown(a) or is_unknown(b):
        return unknown("an operation on an unknown operand")
    if dtype_of(a) == "string" or dtype_of(b) == "string":
        return unknown("an operation on strings")
    same_dtype(a, b)
    kind = group(dtype_of(a))
    if is_unknown(kind):
        dtype = unknown("the dtype is not known")
    elif kind == "i" or kind == "b":
        dtype = "float32" if dtype_of(a) in ("int8", "uint8", "int16", "uint16") else "float64"
    else:
        dtype = dtype_of(a)
    return like([a, b], broadcast_sizes(a, b), dtype)


class Tensor:
    """A tensor that is there, or is traced."""

    __array_priority__ = 100
    # What made it, in a graph of layers: the tensors that went in.
    _parents = None
    # The layer that made it, its call, and the activation at the end of that.
    _maker = None
    _node = None
    _squashed = None
    _is_input = False
    _input_name = None

    @property
    def shape(self):
        return TensorShape(shape_of(self))

    @property
    def ndim(self):
        return len(shape_of(self)) if has_rank(shape_of(self)) else unknown("the rank is not known")

    @property
    def dtype(self):
        return dtype_value(dtype_of(self))

    def get_shape(self):
        return TensorShape(shape_of(self))

    def set_shape(self, shape):
        set_shape(self, unknown("a shape that was refined"))

    def numpy(self):
        from numpy import ndarray

        if has_rank(shape_of(self)) and len(shape_of(self)) == 0:
            return unknown("a number")
        return array(ndarray, shape_of(self), dtype_of(self))

    def __array__(self, dtype=None):
        return self.numpy()

    def __getattr__(self, name):
        return unknown("a part of Tensor that is not modelled")

    def __setitem__(self, key, value):
        raise TypeError("a tensor does not support item assignment; tf.tensor_scatter_nd_update makes a new one")

    def __getitem__(self, key):
        return picked(self, key)

    def __len__(self):
        shape = shape_of(self)
        if not has_rank(shape):
            return fresh("length")
        if len(shape) == 0:
            raise TypeError("a scalar tensor has no len()")
        return shape[0]

    def __iter__(self):
        shape = shape_of(self)
        if not has_rank(shape) or len(shape) == 0 or not is_constant(shape[0]) or shape[0] > 64:
            return iter(unknown("the rows of a tensor"))
        return iter([like([self], shape[1:], dtype_of(self)) for _ in range(shape[0])])

    def __bool__(self):
        return bool(unknown("the truth of a tensor"))

    def __int__(self):
        return some(int)

    def __float__(self):
        return some(float)

    def __index__(self):
        return unknown("an integer from a tensor")

    def __hash__(self):
        return unknown("the hash of a tensor")

    def __add__(self, other):
        return combine(self, other)

    def __radd__(self, other):
        return combine(other, self)

    def __sub__(self, other):
        return combine(self, other)

    def __rsub__(self, other):
        return combine(other, self)

    def __mul__(self, other):
        return combine(self, other)

    def __rmul__(self, other):
        return combine(other, self)

    def __truediv__(self, other):
        return divided(self, other)

    def __rtruediv__(self, other):
        return divided(other, self)

    def __floordiv__(self, other):
        return combine(self, other)

    def __rfloordiv__(self, other):
        return combine(other, self)

    def __mod__(self, other):
        return combine(self, other)

    def __rmod__(self, other):
        return combine(other, self)

    def __pow__(self, other):
        return combine(self, other)

    def __rpow__(self, other):
        return combine(other, self)

    def __lt__(self, other):
        return combine(self, other, "bool")

    def __le__(self, other):
        return combine(self, other, "bool")

    def __gt__(self, other):
        return combine(self, other, "bool")

    def __ge__(self, other):
        return combine(self, other, "bool")

    def __eq__(self, other):
        return self._compared(other)

    def __ne__(self, other):
        return self._compared(other)

    def _compared(self, other):
        """Shapes that do not broadcast are unequal, and None is never equal; nothing is required."""
        if not is_array(other) or not ranked(other) or not ranked(self):
            return unknown("a comparison with something else")
        one, two = shape_of(self), shape_of(other)
        if not all_constant(one) or len(one) != len(two):
            return unknown("a comparison of tensors")
        for a, b in zip(one, two):
            if not is_constant(b) or a != b:
                return unknown("a comparison of tensors")
        return like([self, other], one, "bool")

    def __neg__(self):
        return like([self], shape_of(self), dtype_of(self))

    def __pos__(self):
        return self

    def __abs__(self):
        return like([self], shape_of(self), dtype_of(self))

    def __invert__(self):
        return like([self], shape_of(self), dtype_of(self))

    def __and__(self, other):
        return combine(self, other)

    def __rand__(self, other):
        return combine(other, self)

    def __or__(self, other):
        return combine(self, other)

    def __ror__(self, other):
        return combine(other, self)

    def __xor__(self, other):
        return combine(self, other)

    def __matmul__(self, other):
        from ._products import matmul

        return matmul(self, other)

    def __rmatmul__(self, other):
        from ._products import matmul

        return matmul(other, self)


class KerasTensor(Tensor):
    """A tensor of a graph of layers: its sizes are those that are known before there are data."""

    def __setitem__(self, key, value):
        raise TypeError("a symbolic tensor does not support item assignment")

    def numpy(self):
        return unknown("a symbolic tensor has no elements")

    def __bool__(self):
        return bool(unknown("the truth of a symbolic tensor"))

    def __iter__(self):
        return iter(unknown("the rows of a symbolic tensor"))

    def __len__(self):
        return fresh("length")


class Variable(Tensor):
    def __new__(cls, initial_value=None, *args, dtype=None, shape=None, **options):
        made = converted(initial_value, written(dtype))
        if is_unknown(made) or shape is not None or cls is not Variable:
            return unknown("an unknown variable")
        return array(Variable, shape_of(made), written(dtype, dtype_of(made)))

    def __init__(self, *args, **options):
        pass

    def _fits(self, value, what):
        other = converted(value, dtype_of(self))
        if is_unknown(other) or not ranked(other) or not ranked(self):
            return self
        one, two = shape_of(self), shape_of(other)
        if all_constant(one) and all_constant(two):
            require(
                len(one) == len(two) and product_equal(one, two),
                ValueError if what == "assign" else misfit(self, other),
                f"a variable of shape {one} cannot hold a value of shape {two}",
                rule="shape-argument",
            )
        return self

    def assign(self, value, use_locking=False, name=None, read_value=True):
        return self._fits(value, "assign")

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        return self._fits(delta, "add")

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        return self._fits(delta, "add")

    def value(self):
        return tensor(shape_of(self), dtype_of(self))

    def read_value(self):
        return tensor(shape_of(self), dtype_of(self))

    def __getitem__(self, key):
        return picked(tensor(shape_of(self), dtype_of(self)), key)

    def __setitem__(self, key, value):
        raise TypeError("a variable does not support item assignment; assign() replaces its value")


def product_equal(one, two):
    """Whether all sizes are equal."""
    for a, b in zip(one, two):
        if a != b:
            return False
    return True


def variable(shape, dtype="float32"):
    """A weight of a layer."""
    return array(Variable, shape, dtype)


def picked(x, key):
    """Indexing with integers, slices, None and Ellipsis; other keys are not judged."""
    shape = shape_of(x)
    if not has_rank(shape) or is_unknown(key):
        return unknown("an index into an unknown tensor")
    parts = key if isinstance(key, tuple) else (key,)
    for part in parts:
        if is_unknown(part) or is_array(part):
            return unknown("an unknown index")
        if isinstance(part, slice):
            for bound in (part.start, part.stop, part.step):
                if bound is not None and not is_constant(bound):
                    return unknown("an unknown slice")
        elif part is None or part is Ellipsis:
            pass
        elif isinstance(part, (float, str)):
            raise TypeError("an index of a tensor must be an integer, a slice, None or ...")
        elif isinstance(part, bool) or not isinstance(part, int) or not is_constant(part):
            return unknown("an unknown index")
    if not all_constant(shape):
        return open_picked(x, parts)
    made = index_shape(shape, key, error=misfit(x))
    return like([x], made, dtype_of(x))


def open_picked(x, parts):
    """Indexing a tensor some of whose sizes are not known."""
    shape = shape_of(x)
    given = 0
    for part in parts:
        if part is not None and part is not Ellipsis:
            given += 1
    if given > len(shape):
        require(
            False,
            misfit(x),
            f"{given} indices are too many for a tensor of rank {len(shape)}",
            rule="index-range",
        )
    sizes = []
    place = 0
    seen = False
    for part in parts:
        if part is None:
            sizes.append(1)
        elif part is Ellipsis:
            seen = True
            for _ in range(len(shape) - given):
                sizes.append(shape[place])
                place += 1
        elif isinstance(part, slice):
            size = shape[place]
            if part.start is None and part.stop is None and part.step is None:
                sizes.append(size)
            elif is_constant(size):
                sizes.append(len(range(size)[part]))
            else:
                sizes.append(fresh("size"))
            place += 1
        else:
            if is_constant(shape[place]):
                require(
                    -shape[place] <= part and part < shape[place],
                    misfit(x),
                    f"index {part} is out of range for axis {place} of size {shape[place]}",
                    rule="index-range",
                )
            place += 1
    sizes.extend(shape[place:])
    return like([x], tuple(sizes), dtype_of(x))
