"""The elements of small tensors: what operations make of them, and who shares their memory."""

from _pytrope import dtype_of, elements, has_values, is_constant, set_values, shape_of, values_of

from ._make import alike, is_tensor, ranked, tensor_arg, tensor
from ._origin import pass_on, tracked


def mapped(op, x, dtype):
    """An operation on each element of one tensor."""
    if has_values(x):
        return tensor(shape_of(x), dtype, elements(op, dtype, shape_of(x), x))
    return alike(x, dtype)


def combined(op, shape, dtype, first, second):
    """An operation on the elements of two operands, of which one may be a number."""
    known = elements(op, dtype, shape, first, second) if has_values(first, second) else None
    made = tensor(shape, dtype, known)
    if _lies_in_rows(first, second, made) or _lies_in_rows(second, first, made):
        made._strides = True
    return tracked(made, op, first, second)


def _lies_in_rows(x, other, made):
    """Whether an operand has the result's shape, and both lie dimension by dimension; or the other is a number."""
    if not is_tensor(x) or not is_constant(x._strides) or x._strides is not True:
        return False
    if isinstance(other, (int, float)):
        return True
    return (
        is_tensor(other)
        and is_constant(other._strides)
        and other._strides is True
        and ranked(made)
        and is_constant(shape_of(made))
        and shape_of(x) == shape_of(made)
    )


def forget(x):
    """Something was written to a tensor, or may be through a name that is not followed."""
    kin = x._kin
    if kin is None:
        set_values(x, None)
    else:
        for each in kin:
            set_values(each, None)


def view(x, shape):
    """The same elements in another arrangement that keeps their order."""
    if not has_values(x):
        return tensor(shape, dtype_of(x))
    return shared(x, tensor(shape, dtype_of(x), values_of(x)))


def part(x, shape):
    """A view of which the elements are not followed."""
    if has_values(x):
        forget(x)
    return tensor(shape, dtype_of(x))


def viewed(input, name="input"):
    """The tensor that a view is made of, whose elements are not followed from now on."""
    x = tensor_arg(input, name)
    if has_values(x):
        forget(x)
    return x


viewed.inherited = ("_origin", pass_on)


def shared(x, made):
    """Both tensors have the same memory: a write to one is a write to the other."""
    kin = x._kin
    if kin is None:
        kin = [x]
        x._kin = kin
    kin.append(made)
    made._kin = kin
    return made


def whole_numbers(x):
    """The elements, if they are integers and all known; else None."""
    known = values_of(x)
    if known is not None and is_constant(known) and dtype_of(x) in ("uint8", "int8", "int16", "int32", "int64"):
        return known
    return None


def mark_noncontiguous(made):
    """Neighbours in this view need not be neighbours in memory, so not every `view` of it exists."""
    made._is_noncontiguous = True
    return made
