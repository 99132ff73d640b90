"""Operators of arrays and scalars, and the elementwise computation behind them and the ufuncs."""

from _pytrope import (
    array_like,
    broadcast,
    dtype_of,
    elementwise,
    has_rank,
    is_array,
    is_unknown,
    proved,
    require,
    result_dtype,
    set_values,
    shape_of,
    unknown,
    values_of,
)

from ._dtypes import KINDS

ORDER = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def combine(owner, rule, operands, op=None):
    """Apply a ufunc to operands that broadcast together; `owner` is any array among them."""
    parts = elementwise(owner._base, rule, op, operands)
    if is_unknown(parts):
        return parts
    return owner._wrap(*parts)


def combine_unless_deferred(owner, rule, operands, op=None):
    """An operator that is left to the right operand if its class asks for that."""
    result = combine(owner, rule, operands, op)
    return NotImplemented if is_unknown(result) and is_deferred_to(operands[1]) else result


class DeferredTo:
    """Base of classes that arrays leave operators to, such as the sparse matrices of SciPy."""


def is_deferred_to(x):
    """Whether arrays leave operators to an object; a class of the program says so by `__array_ufunc__ = None`."""
    if is_unknown(x) or is_array(x):
        return False
    if proved(isinstance(x, DeferredTo)) or proved(getattr(type(x), "__array_ufunc__", 0) is None):
        return True
    # The bases of NumPy's own subclasses are Unknown.
    from ._matrix import matrix
    from .ma import MaskedArray

    return proved(type(x) is matrix) or proved(type(x) is MaskedArray)


def in_place(target, rule, operand):
    """`target op= operand`: the result must have the target's own shape and fit its dtype."""
    shape, name, _ = array_like(operand)
    own = shape_of(target)
    set_values(target, None)
    if is_unknown(shape):
        return target
    computed = result_dtype(rule, (dtype_of(target), name))
    mine = dtype_of(target)
    if not is_unknown(computed) and not is_unknown(mine):
        require(
            ORDER[KINDS[computed]] <= ORDER[KINDS[mine]] and not (KINDS[computed] == "i" and KINDS[mine] == "u"),
            TypeError,
            f"the result is {computed}, which cannot be stored in place in an array of {mine}",
            rule="bad-operand",
        )
    if has_rank(own):
        broadcast(own, operand if is_array(operand) else shape, out=own)
    return target


def foreign(other):
    """Whether an operand is none of NumPy's business: it gets its chance to answer."""
    return isinstance(other, (str, dict, set)) or other is None


class Operators:
    """The operators that arrays and scalars share."""

    def __add__(self, other):
        return combine_unless_deferred(self, "arithmetic", (self, other), "add")

    def __radd__(self, other):
        return combine(self, "arithmetic", (other, self), "add")

    def __sub__(self, other):
        return combine_unless_deferred(self, "subtract", (self, other), "subtract")

    def __rsub__(self, other):
        return combine(self, "subtract", (other, self), "subtract")

    def __mul__(self, other):
        return combine_unless_deferred(self, "arithmetic", (self, other), "multiply")

    def __rmul__(self, other):
        return combine(self, "arithmetic", (other, self), "multiply")

    def __truediv__(self, other):
        return combine_unless_deferred(self, "divide", (self, other))

    def __rtruediv__(self, other):
        return combine(self, "divide", (other, self))

    def __floordiv__(self, other):
        return combine(self, "ordered", (self, other), "floor_divide")

    def __rfloordiv__(self, other):
        return combine(self, "ordered", (other, self), "floor_divide")

    def __mod__(self, other):
        return combine(self, "ordered", (self, other), "remainder")

    def __rmod__(self, other):
        return combine(self, "ordered", (other, self), "remainder")

    def __divmod__(self, other):
        return (self // other, self % other)

    def __rdivmod__(self, other):
        return (other // self, other % self)

    def __pow__(self, other):
        return combine(self, "power", (self, other))

    def __rpow__(self, other):
        return combine(self, "power", (other, self))

    def __and__(self, other):
        return combine(self, "integer", (self, other), "bitwise_and")

    def __rand__(self, other):
        return combine(self, "integer", (other, self), "bitwise_and")

    def __or__(self, other):
        return combine(self, "integer", (self, other), "bitwise_or")

    def __ror__(self, other):
        return combine(self, "integer", (other, self), "bitwise_or")

    def __xor__(self, other):
        return combine(self, "integer", (self, other), "bitwise_xor")

    def __rxor__(self, other):
        return combine(self, "integer", (other, self), "bitwise_xor")

    def __lshift__(self, other):
        return combine(self, "shift", (self, other))

    def __rlshift__(self, other):
        return combine(self, "shift", (other, self))

    def __rshift__(self, other):
        return combine(self, "shift", (self, other))

    def __rrshift__(self, other):
        return combine(self, "shift", (other, self))

    def __neg__(self):
        return combine(self, "numeric", (self,), "negative")

    def __pos__(self):
        return combine(self, "numeric", (self,), "positive")

    def __invert__(self):
        return combine(self, "integer", (self,), "invert")

    def __abs__(self):
        return combine(self, "magnitude", (self,))

    def __lt__(self, other):
        return combine(self, "compare", (self, other), "less")

    def __le__(self, other):
        return combine(self, "compare", (self, other), "less_equal")

    def __gt__(self, other):
        return combine(self, "compare", (self, other), "greater")

    def __ge__(self, other):
        return combine(self, "compare", (self, other), "greater_equal")

    def __eq__(self, other):
        if foreign(other):
            return unknown("a comparison with an object")
        return combine(self, "compare", (self, other), "equal")

    def __ne__(self, other):
        if foreign(other):
            return unknown("a comparison with an object")
        return combine(self, "compare", (self, other), "not_equal")

    def __bool__(self):
        shape = shape_of(self)
        if not has_rank(shape):
            return unknown("the truth of an array of unknown rank")
        if len(shape) > 0:
            for size in shape:
                if is_unknown(size):
                    return unknown("the truth of an array of unknown size")
            count = 1
            for size in shape:
                count = count * size
            require(
                count == 1,
                ValueError,
                f"the truth value of an array of shape {shape} is ambiguous: use .any() or .all()",
                rule="shape-argument",
            )
        values = values_of(self)
        if values is None or len(values) != 1:
            return unknown("the truth of an array element")
        return bool(values[0])


class InPlaceOperators:
    """Operators that change an array; scalars have none, and are rebound instead."""

    def __iadd__(self, other):
        return in_place(self, "arithmetic", other)

    def __isub__(self, other):
        return in_place(self, "subtract", other)

    def __imul__(self, other):
        return in_place(self, "arithmetic", other)

    def __itruediv__(self, other):
        return in_place(self, "divide", other)

    def __ifloordiv__(self, other):
        return in_place(self, "ordered", other)

    def __imod__(self, other):
        return in_place(self, "ordered", other)

    def __ipow__(self, other):
        return in_place(self, "power", other)

    def __iand__(self, other):
        return in_place(self, "integer", other)

    def __ior__(self, other):
        return in_place(self, "integer", other)

    def __ixor__(self, other):
        return in_place(self, "integer", other)

    def __ilshift__(self, other):
        return in_place(self, "shift", other)

    def __irshift__(self, other):
        return in_place(self, "shift", other)
