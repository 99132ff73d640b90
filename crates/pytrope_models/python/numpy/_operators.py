"""Operators of arrays and scalars, and the elementwise computation behind them and the ufuncs."""

from _pytrope import array_like, broadcast, has_rank, is_array, is_constant, is_unknown, require, set_values, shape_of, unknown, values_of, dtype_of

from ._dtypes import KINDS, result_of, strong

ORDER = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def small_values(op, operands, shape):
    """The elements of a result, computed when the operands are small and known."""
    if op is None or not has_rank(shape):
        return None
    columns = []
    count = 1
    for values, own in operands:
        if values is None or len(values) > 16 or not has_rank(own):
            return None
        if len(values) != 1:
            if len(own) != len(shape):
                return None
            count = len(values)
        columns.append(values)
    total = 1
    for size in shape:
        if not is_constant(size):
            return None
        total = total * size
    if total != count:
        return None
    result = []
    for position in range(count):
        row = []
        for values in columns:
            value = values[0] if len(values) == 1 else values[position]
            if isinstance(value, bool) or not isinstance(value, int):
                return None
            row.append(value)
        if len(columns) == 2:
            value = op(row[0], row[1])
        else:
            value = op(row[0])
        if value is None:
            return None
        result.append(value)
    return tuple(result)


def elementwise(owner, rule, operands, op=None):
    """Apply a ufunc to operands that broadcast together; `owner` is any array among them."""
    # Operands that are arrays are passed on whole, so that a mismatch can show where they were made.
    shapes = []
    sources = []
    names = []
    known = []
    for operand in operands:
        shape, name, values = array_like(operand)
        if is_unknown(shape) and not is_array(operand):
            return unknown("arithmetic with an unknown operand")
        shapes.append(shape)
        sources.append(operand if is_array(operand) else shape)
        names.append(name)
        known.append((values, shape))
    if len(shapes) == 1:
        shape = shapes[0]
    else:
        shape = broadcast(*sources)
    name = strong(result_of(rule, names))
    return owner._wrap(shape, name, small_values(op, known, shape))


def in_place(target, rule, operand):
    """`target op= operand`: the result must have the target's own shape and fit its dtype."""
    if len_is_zero(target) and not target._is_mutable:
        return elementwise(target, rule, (target, operand))
    shape, name, values = array_like(operand)
    own = shape_of(target)
    if is_unknown(shape) and not is_array(operand):
        set_values(target, None)
        return target
    computed = strong(result_of(rule, (dtype_of(target), name)))
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
    set_values(target, None)
    return target


def len_is_zero(target):
    """Whether the array is known to have rank 0."""
    shape = shape_of(target)
    return has_rank(shape) and len(shape) == 0


def foreign(other):
    """Whether an operand is none of NumPy's business: it gets its chance to answer."""
    return isinstance(other, (str, dict, set)) or other is None


def floor_division(a, b):
    """`a // b` on known integers, where it is defined."""
    if b == 0:
        return None
    return a // b


def remainder(a, b):
    """`a % b` on known integers, where it is defined."""
    if b == 0:
        return None
    return a % b


class Operators:
    """The operators that arrays and scalars share."""

    def __add__(self, other):
        return elementwise(self, "arithmetic", (self, other), lambda a, b: a + b)

    def __radd__(self, other):
        return elementwise(self, "arithmetic", (other, self), lambda a, b: a + b)

    def __sub__(self, other):
        return elementwise(self, "subtract", (self, other), lambda a, b: a - b)

    def __rsub__(self, other):
        return elementwise(self, "subtract", (other, self), lambda a, b: a - b)

    def __mul__(self, other):
        return elementwise(self, "arithmetic", (self, other), lambda a, b: a * b)

    def __rmul__(self, other):
        return elementwise(self, "arithmetic", (other, self), lambda a, b: a * b)

    def __truediv__(self, other):
        return elementwise(self, "divide", (self, other))

    def __rtruediv__(self, other):
        return elementwise(self, "divide", (other, self))

    def __floordiv__(self, other):
        return elementwise(self, "ordered", (self, other), floor_division)

    def __rfloordiv__(self, other):
        return elementwise(self, "ordered", (other, self), floor_division)

    def __mod__(self, other):
        return elementwise(self, "ordered", (self, other), remainder)

    def __rmod__(self, other):
        return elementwise(self, "ordered", (other, self), remainder)

    def __divmod__(self, other):
        return (self // other, self % other)

    def __rdivmod__(self, other):
        return (other // self, other % self)

    def __pow__(self, other):
        return elementwise(self, "power", (self, other))

    def __rpow__(self, other):
        return elementwise(self, "power", (other, self))

    def __and__(self, other):
        return elementwise(self, "integer", (self, other))

    def __rand__(self, other):
        return elementwise(self, "integer", (other, self))

    def __or__(self, other):
        return elementwise(self, "integer", (self, other))

    def __ror__(self, other):
        return elementwise(self, "integer", (other, self))

    def __xor__(self, other):
        return elementwise(self, "integer", (self, other))

    def __rxor__(self, other):
        return elementwise(self, "integer", (other, self))

    def __lshift__(self, other):
        return elementwise(self, "shift", (self, other))

    def __rlshift__(self, other):
        return elementwise(self, "shift", (other, self))

    def __rshift__(self, other):
        return elementwise(self, "shift", (self, other))

    def __rrshift__(self, other):
        return elementwise(self, "shift", (other, self))

    def __neg__(self):
        return elementwise(self, "numeric", (self,), lambda a: -a)

    def __pos__(self):
        return elementwise(self, "numeric", (self,), lambda a: a)

    def __invert__(self):
        return elementwise(self, "integer", (self,))

    def __abs__(self):
        return elementwise(self, "magnitude", (self,))

    def __lt__(self, other):
        return elementwise(self, "compare", (self, other))

    def __le__(self, other):
        return elementwise(self, "compare", (self, other))

    def __gt__(self, other):
        return elementwise(self, "compare", (self, other))

    def __ge__(self, other):
        return elementwise(self, "compare", (self, other))

    def __eq__(self, other):
        if foreign(other):
            return unknown("a comparison with an object")
        return elementwise(self, "compare", (self, other))

    def __ne__(self, other):
        if foreign(other):
            return unknown("a comparison with an object")
        return elementwise(self, "compare", (self, other))

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
