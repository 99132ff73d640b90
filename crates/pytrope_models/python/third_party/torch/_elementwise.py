"""Operations on each element: shapes broadcast, dtypes promote."""

from _pytrope import (
    broadcast,
    dtype_of,
    is_constant,
    is_unknown,
    lifted,
    open_broadcast,
    proved,
    require,
    shape_of,
    unknown,
)

from . import _dtypes
from ._layout import lying, strides_of
from ._make import alike, tensor_arg, is_tensor, ranked, tensor, unranked
from ._named_results import NamedResult
from ._reach import bounded
from ._values import combined, forget, mapped, viewed
from ._versions import IS_OLD, UNSUPPORTED, by_release


@lifted(tensor_arg, "input")
def same(input, *, out=None):
    """The dtype stays."""
    return alike(input, dtype_of(input))


@lifted(tensor_arg, "input")
def number(input, *, out=None):
    """The dtype stays, and a bool has no such operation."""
    has_kernel(dtype_of(input), (1, 2), "the operation")
    return alike(input, dtype_of(input))


@lifted(tensor_arg, "input")
def ordered_sign(input, *, out=None):
    """The sign of a complex number is `sgn`."""
    has_kernel(dtype_of(input), (0, 1, 2), "sign")
    return alike(input, dtype_of(input))


@lifted(tensor_arg, "input")
def positive(input):
    has_kernel(dtype_of(input), (1, 2, 3), "unary plus", RuntimeError if IS_OLD else UNSUPPORTED)
    return input


@lifted(tensor_arg, "input")
def real_only(input, *args, out=None, **kwargs):
    """Integers become floats, and there is no kernel for complex numbers."""
    has_kernel(dtype_of(input), (0, 1, 2), "the function")
    return alike(input, _dtypes.floating(dtype_of(input)))


@lifted(tensor_arg, "input")
def negative_sign(input, *, out=None):
    has_kernel(dtype_of(input), (0, 1, 2), "signbit")
    return alike(input, "bool")


@lifted(tensor_arg, "input")
def infinity_of_sign(input, *, out=None):
    has_kernel(dtype_of(input), (0, 1, 2), "the sign of an infinity", by_release(RuntimeError, TypeError))
    return alike(input, "bool")


@lifted(tensor_arg, "input")
def argument_of_complex(input, *, out=None):
    """The angle of a complex number; 0 or π for a real one."""
    return alike(input, _dtypes.floating(_dtypes.magnitude(dtype_of(input))))


def has_kernel(dtype_name, categories, operation, error=UNSUPPORTED):
    """Requires that an operation is written for elements of this category, where the type is known."""
    kind = _dtypes.category(dtype_name)
    if not is_unknown(kind):
        require(kind in categories, error, f"{operation} is not defined for {dtype_name}", rule="bad-operand")


def ordered(x, operation, categories=(0, 1, 2), error=UNSUPPORTED):
    """Requires elements that can be compared. Of an empty tensor nothing is computed, and releases differ."""
    if not (ranked(x) and [size for size in shape_of(x) if is_constant(size) and size == 0]):
        has_kernel(dtype_of(x), categories, operation, error)


def not_bool(x, message):
    """Requires another dtype than bool, where the dtype is known."""
    if not is_unknown(dtype_of(x)):
        require(dtype_of(x) != "bool", UNSUPPORTED, message, rule="bad-operand")


@lifted(tensor_arg, "input")
def real(input, *, out=None):
    """Integers become floats."""
    return alike(input, _dtypes.floating(dtype_of(input)))


@lifted(tensor_arg, "input")
def test(input, *, out=None):
    """A bool for each element."""
    return alike(input, "bool")


@lifted(tensor_arg, "input")
def rounded(input, *, decimals=0, out=None):
    has_kernel(dtype_of(input), (1, 2), "rounding")
    if decimals == 0:
        return mapped("round", input, dtype_of(input))
    return alike(input, dtype_of(input))


@lifted(tensor_arg, "input")
def absolute(input, *, out=None):
    not_bool(input, "abs is not defined for bool tensors")
    return mapped("abs", input, _dtypes.magnitude(dtype_of(input)))


@lifted(tensor_arg, "input")
def floor(input, *, out=None):
    has_kernel(dtype_of(input), (1, 2), "rounding")
    return mapped("floor", input, dtype_of(input))


@lifted(tensor_arg, "input")
def ceil(input, *, out=None):
    has_kernel(dtype_of(input), (1, 2), "rounding")
    return mapped("ceil", input, dtype_of(input))


@lifted(tensor_arg, "input")
def trunc(input, *, out=None):
    has_kernel(dtype_of(input), (1, 2), "rounding")
    return mapped("trunc", input, dtype_of(input))


@lifted(tensor_arg, "input")
def log(input, *, out=None):
    return mapped("log", input, _dtypes.floating(dtype_of(input)))


@lifted(tensor_arg, "input")
def log2(input, *, out=None):
    return mapped("log2", input, _dtypes.floating(dtype_of(input)))


@lifted(tensor_arg, "input")
def exp(input, *, out=None):
    return mapped("exp", input, _dtypes.floating(dtype_of(input)))


@lifted(tensor_arg, "input")
def sqrt(input, *, out=None):
    return mapped("sqrt", input, _dtypes.floating(dtype_of(input)))


@lifted(tensor_arg, "input")
def frac(input, *, out=None):
    has_kernel(dtype_of(input), (2,), "frac")
    return alike(input, dtype_of(input))


def is_below_float(dtype_name):
    if is_unknown(dtype_name):
        return unknown("the dtype is not known")
    return _dtypes.category(dtype_name) < 2


@lifted(tensor_arg, "input")
def neg(input, *, out=None):
    not_bool(input, "negation is not defined for bool tensors; use ~ or logical_not()")
    return mapped("neg", input, dtype_of(input))


@lifted(tensor_arg, "input")
def bitwise_not(input, *, out=None):
    has_kernel(dtype_of(input), (0, 1), "the complement of bits")
    return alike(input, dtype_of(input))


def dtype_is_integral(dtype_name):
    if is_unknown(dtype_name):
        return unknown("the dtype is not known")
    return _dtypes.category(dtype_name) < 2


@lifted(tensor_arg, "input")
def square(input, *, out=None):
    dtype = dtype_of(input)
    if not is_unknown(dtype) and dtype == "bool":
        dtype = "int64"
    return alike(input, dtype)


@lifted(tensor_arg, "input")
def nan_to_num(input, nan=0.0, posinf=None, neginf=None, *, out=None):
    return alike(input, dtype_of(input))


@lifted(tensor_arg, "input")
def frexp(input, *, out=None):
    """Mantissas and exponents of floats."""
    has_kernel(dtype_of(input), (2,), "frexp", RuntimeError)
    return NamedResult(mantissa=alike(input, dtype_of(input)), exponent=alike(input, "int32"))


@lifted(tensor_arg, "input")
def clone(input, *, memory_format=None):
    return mapped("cast", input, dtype_of(input))


@lifted(viewed, "input")
def detach(input):
    """A view of all elements."""
    return lying(alike(input, dtype_of(input)), strides_of(input))


@lifted(tensor_arg, "input")
def changed(input, *args, **kwargs):
    """An operation that writes into its tensor and keeps its shape."""
    forget(input)
    return input


@lifted(tensor_arg, "input")
def rewritten(input, *args, **kwargs):
    """As `changed`, by code that turns gradients off while it writes."""
    forget(input)
    return input


@lifted(tensor_arg, "input")
def changed_real(input, *args, **kwargs):
    if not is_unknown(dtype_of(input)):
        require(
            not is_below_float(dtype_of(input)), RuntimeError, "the result is a float, but this tensor holds integers"
        )
    forget(input)
    return input


# Two operands.


def shape_like(operand):
    """The shape of an operand: a number has none of its own."""
    if is_tensor(operand):
        return shape_of(operand)
    if is_unknown(operand):
        return shape_of(unranked())
    return ()


def operand(x, name):
    """Tensors and numbers pass; None, strings and lists are refused as the argument parser does."""
    if is_unknown(x) or is_tensor(x) or isinstance(x, (int, float, complex)):
        return x
    if x is None or isinstance(x, (str, list, tuple)):
        raise TypeError(f"argument '{name}' must be Tensor, not {type(x).__name__}")
    if isinstance(x, NamedResult):
        raise TypeError(f"argument '{name}' must be Tensor, not a tuple of several results")
    return unknown("not a tensor or a number")


def _is_open(operand):
    return is_tensor(operand) and not ranked(operand)


def both(input, other):
    if _is_open(input) or _is_open(other):
        return open_broadcast(unranked(), input, other)
    return broadcast(shape_like(operand(input, "input")), shape_like(operand(other, "other")), error=RuntimeError)


def add(input, other, *, alpha=1, out=None):
    if alpha == 1:
        return combined("add", both(input, other), _dtypes.result(input, other), input, other)
    return tensor(both(input, other), _dtypes.result(input, other))


def mul(input, other, *, out=None):
    return combined("mul", both(input, other), _dtypes.result(input, other), input, other)


def real_result(input, other, operation, categories=(0, 1, 2), error=UNSUPPORTED):
    """The type that two operands promote to, of which an operation needs a kernel."""
    dtype = _dtypes.result(input, other)
    has_kernel(dtype, categories, operation, error)
    return dtype


def maximum(input, other, *, out=None):
    not_number(input, other)
    real_result(input, other, "a maximum or minimum", error=by_release(RuntimeError, TypeError))
    return combined("maximum", both(input, other), _dtypes.result(input, other), input, other)


def minimum(input, other, *, out=None):
    not_number(input, other)
    real_result(input, other, "a maximum or minimum", error=by_release(RuntimeError, TypeError))
    return combined("minimum", both(input, other), _dtypes.result(input, other), input, other)


def subtract(input, other, *, alpha=1, out=None):
    shape = both(input, other)
    dtype = _dtypes.result(input, other)
    for side in (_dtypes.standing(input)[0], _dtypes.standing(other)[0]):
        if not is_unknown(side):
            require(
                side != "bool",
                UNSUPPORTED,
                "subtraction with a bool tensor is not defined; use ^ or logical_xor()",
                rule="bad-operand",
            )
    if alpha == 1:
        return combined("sub", shape, dtype, input, other)
    return tensor(shape, dtype)


def rsub(input, other, *, alpha=1):
    return subtract(other, input, alpha=alpha)


def division(input, other, *, rounding_mode=None, out=None):
    dtype = _dtypes.result(input, other)
    if rounding_mode is None:
        return combined("div", both(input, other), _dtypes.floating(dtype), input, other)
    return tensor(both(input, other), dtype)


def whole(input, other, *, out=None):
    """Division that keeps integers."""
    return tensor(both(input, other), real_result(input, other, "fmod", (1, 2)))


def floor_divide(input, other, *, out=None):
    return combined(
        "floor_divide", both(input, other), real_result(input, other, "floor division", (1, 2)), input, other
    )


def remainder(input, other, *, out=None):
    made = combined("remainder", both(input, other), real_result(input, other, "remainder", (1, 2)), input, other)
    return bounded(made, other) if isinstance(other, int) and proved(other > 0) else made


def power(input, exponent, *, out=None):
    shape = both(input, exponent)
    if is_tensor(input) and is_tensor(exponent):
        real_result(input, exponent, "pow", (1, 2, 3))
    return combined("pow", shape, _dtypes.result(input, exponent), input, exponent)


def float_power(input, exponent, *, out=None):
    """Computes in double precision."""
    shape = both(input, exponent)
    kind = _dtypes.category(_dtypes.result(input, exponent))
    if is_unknown(kind):
        return tensor(shape, unknown("the dtype is not known"))
    return tensor(shape, "complex128" if kind == 3 else "float64")


def angle(input, other, *, out=None):
    not_number(input, other)
    return tensor(both(input, other), _dtypes.floating(real_result(input, other, "atan2")))


@lifted(tensor_arg, "input")
def floats_of_two(input, other, *, out=None):
    """Functions of two real operands that give floats."""
    return tensor(both(input, other), _dtypes.floating(real_result(input, other, "the function")))


def xlogy(input, other, *, out=None):
    """`input * log(other)`: either operand may be a number."""
    first, second = (other, input) if is_tensor(other) and not is_tensor(input) else (input, other)
    return floats_of_two(first, second, out=out)


@lifted(tensor_arg, "input")
def whole_of_two(input, other, *, out=None):
    """Common divisors and multiples, of tensors alone."""
    not_number(input, other)
    if not is_unknown(other) and not is_tensor(other):
        return unknown("a number where a tensor belongs")
    return tensor(both(input, other), real_result(input, other, "the function", (1,)))


def not_number(*operands):
    """Requires tensors, where a number is no operand."""
    for x in operands:
        if is_constant(x) and isinstance(x, (bool, int, float, complex)):
            raise TypeError(f"an operand must be Tensor, not {type(x).__name__}")


def gamma_of_two(input, other, *, out=None):
    """Incomplete gamma functions: of floats alone."""
    not_number(input, other)
    if not is_tensor(input) or not is_tensor(other):
        return unranked()
    return tensor(both(input, other), real_result(input, other, "the function", (2,)))


def next_after(input, other, *, out=None):
    not_number(input, other)
    if not is_tensor(input) or not is_tensor(other):
        return unranked()
    return tensor(both(input, other), real_result(input, other, "nextafter", (2,)))


def logical_of_two(input, other, *, out=None):
    not_number(input, other)
    return tensor(both(input, other), "bool")


def multiplied_by_power(input, other, *, out=None):
    """ldexp"""
    not_number(input, other)
    if not is_tensor(input) or not is_tensor(other):
        return unranked()
    return tensor(both(input, other), _dtypes.floating(_dtypes.result(input, other)))


@lifted(tensor_arg, "input", "other")
def is_same_size(input, other):
    return shape_of(input) == shape_of(other) if ranked(input) and ranked(other) else bool(unknown("the sizes"))


def hypot(input, other, *, out=None):
    not_number(input, other)
    shape = both(input, other)
    dtype = _dtypes.result(input, other)
    if is_tensor(input) and is_tensor(other):
        has_kernel(dtype, (2,), "hypot")
    return tensor(shape, dtype)


def comparison(input, other, *, out=None):
    return tensor(both(input, other), "bool")


def eq(input, other, *, out=None):
    return combined("eq", both(input, other), "bool", input, other)


def ne(input, other, *, out=None):
    return combined("ne", both(input, other), "bool", input, other)


def lt(input, other, *, out=None):
    real_result(input, other, "an order")
    return combined("lt", both(input, other), "bool", input, other)


def le(input, other, *, out=None):
    real_result(input, other, "an order")
    return combined("le", both(input, other), "bool", input, other)


def gt(input, other, *, out=None):
    real_result(input, other, "an order")
    return combined("gt", both(input, other), "bool", input, other)


def ge(input, other, *, out=None):
    real_result(input, other, "an order")
    return combined("ge", both(input, other), "bool", input, other)


def bits(input, other, *, out=None):
    shape = both(input, other)
    dtype = _dtypes.result(input, other)
    if not is_unknown(dtype):
        require(dtype_is_integral(dtype), UNSUPPORTED, "bitwise operations need integers or bools", rule="bad-operand")
    return tensor(shape, dtype)


def shifted(input, other, *, out=None):
    return tensor(both(input, other), _dtypes.result(input, other))


def shifted_bits(input, other, *, out=None):
    return tensor(both(input, other), real_result(input, other, "a shift of bits", (1,)))


@lifted(tensor_arg, "input", "end")
def lerp(input, end, weight, *, out=None):
    shape = broadcast(shape_of(input), shape_of(end), shape_like(weight), error=RuntimeError)
    return tensor(shape, dtype_of(input))


@lifted(tensor_arg, "input")
def addcmul(input, tensor1, tensor2, *, value=1, out=None):
    shape = broadcast(shape_of(input), shape_of(tensor_arg(tensor1)), shape_of(tensor_arg(tensor2)), error=RuntimeError)
    return tensor(shape, _dtypes.result(_widest(input, tensor1), tensor2))


def _widest(x, y):
    return tensor(shape_of(x), _dtypes.result(x, y))


@lifted(tensor_arg, "condition")
def where(condition, input=None, other=None, *, out=None):
    if input is None and other is None:
        return _where_true(condition)
    shape = broadcast(
        shape_of(condition),
        shape_like(operand(input, "input")),
        shape_like(operand(other, "other")),
        error=RuntimeError,
    )
    return tensor(shape, _dtypes.result(input, other))


def _where_true(c):
    from ._indexing import nonzero

    return nonzero(c, as_tuple=True)


def _where_method(self, condition, other):
    return where(condition, self, other)


@lifted(tensor_arg, "input")
def masked_fill(input, mask, value):
    shape = broadcast(shape_of(input), shape_of(tensor_arg(mask, "mask")), error=RuntimeError)
    if ranked(input) and is_constant(shape) and is_constant(shape_of(input)) and shape == shape_of(input):
        return alike(input, dtype_of(input))
    return tensor(shape, dtype_of(input))


def fits(shape, into):
    """The condition of an in-place operation: the broadcast result has the tensor's own shape."""
    result = broadcast(shape, into, error=RuntimeError)
    if is_constant(len(result)) and is_constant(len(into)):
        require(
            len(result) == len(into),
            RuntimeError,
            f"the broadcast shape {result} does not fit the tensor of shape {into} it is written to",
            rule="broadcast-mismatch",
        )
        for k in range(len(into)):
            require(
                result[k] == into[k],
                RuntimeError,
                f"the broadcast shape {result} does not fit the tensor of shape {into} it is written to",
                rule="broadcast-mismatch",
            )


def masked_fill_(self, mask, value):
    fits(shape_of(tensor_arg(mask, "mask")), shape_of(self))
    return changed(self)


def in_place_difference(self, other, *, alpha=1):
    operand(other, "other")
    fits(shape_like(other), shape_of(self))
    subtract(tensor((), dtype_of(self)) if not is_unknown(dtype_of(self)) else self, other)
    _may_hold(dtype_of(self), _dtypes.result(self, other))
    return changed(self)


def in_place_whole(self, other):
    """Remainders and whole quotients are written for numbers, not for bools."""
    operand(other, "other")
    fits(shape_like(other), shape_of(self))
    result = real_result(self, other, "a remainder or a whole quotient", (1, 2))
    _may_hold(dtype_of(self), result)
    return changed(self)


def in_place_bits(self, other):
    operand(other, "other")
    fits(shape_like(other), shape_of(self))
    has_kernel(dtype_of(self), (0, 1), "an operation on bits")
    _may_hold(dtype_of(self), _dtypes.result(self, other))
    return changed(self)


def in_place_floats(self, other):
    """The result is a float, and is written into the tensor."""
    operand(other, "other")
    fits(shape_like(other), shape_of(self))
    _may_hold(dtype_of(self), _dtypes.floating(_dtypes.result(self, other)))
    return changed(self)


@lifted(tensor_arg, "input")
def changed_number(input, *args, **kwargs):
    """Absolute values, signs and rounding in place: there is none of a bool."""
    has_kernel(dtype_of(input), (1, 2, 3), "the operation")
    forget(input)
    return input


@lifted(tensor_arg, "input")
def filled_at_random(input, *args, **kwargs):
    has_kernel(dtype_of(input), (2, 3), "a continuous distribution")
    forget(input)
    return input


def lerp_(self, end, weight):
    fits(shape_of(tensor_arg(end, "end")), shape_of(self))
    fits(shape_like(weight), shape_of(self))
    return changed(self)


def addcmul_(self, tensor1, tensor2, *, value=1):
    fits(shape_of(tensor_arg(tensor1, "tensor1")), shape_of(self))
    fits(shape_of(tensor_arg(tensor2, "tensor2")), shape_of(self))
    return changed(self)


def in_place(self, other, *args, **kwargs):
    operand(other, "other")
    fits(shape_like(other), shape_of(self))
    _may_hold(dtype_of(self), _dtypes.result(self, other))
    return changed(self)


def in_place_logical(self, other, *args, **kwargs):
    """The truth of both, whatever the dtype of the other is."""
    operand(other, "other")
    fits(shape_like(other), shape_of(self))
    return changed(self)


def _may_hold(own, result):
    if is_unknown(own) or is_unknown(result):
        return
    require(
        _dtypes.category(own) >= _dtypes.category(result),
        RuntimeError,
        f"the result is {result}, which a tensor of {own} cannot hold",
    )


def in_place_division(self, other, *, rounding_mode=None):
    fits(shape_like(other), shape_of(self))
    result = _dtypes.result(self, other)
    _may_hold(dtype_of(self), _dtypes.floating(result) if rounding_mode is None else result)
    return changed(self)


def copy_(self, src, non_blocking=False):
    # Numbers are taken too, by the PyTorch of today.
    if not isinstance(src, (int, float, complex)):
        fits(shape_of(tensor_arg(src, "src")), shape_of(self))
    return changed(self)


@lifted(tensor_arg, "input")
def clamp(input, min=None, max=None, *, out=None):
    shape = shape_of(input)
    dtype = dtype_of(input)
    if is_tensor(min):
        shape = broadcast(shape, shape_of(min), error=RuntimeError)
        dtype = unknown("the dtype follows the limits")
    if is_tensor(max):
        shape = broadcast(shape, shape_of(max), error=RuntimeError)
        dtype = unknown("the dtype follows the limits")
    if isinstance(min, float) or isinstance(max, float):
        dtype = _dtypes.floating(dtype)
    if not is_unknown(dtype) and dtype == "bool":
        dtype = unknown("bools between limits")
    has_kernel(dtype_of(input), (0, 1, 2), "clamp")
    if not is_tensor(min) and not is_tensor(max):
        return alike(input, dtype)
    return tensor(shape, dtype)


def clamp_(self, min=None, max=None):
    return changed(self)


def clamp_min(input, min, *, out=None):
    return clamp(input, min)


def clamp_max(input, max, *, out=None):
    return clamp(input, None, max)


def clamp_min_(self, min):
    return changed(self)


def clamp_max_(self, max):
    return changed(self)


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    shape = broadcast(shape_of(tensor_arg(input)), shape_of(tensor_arg(other)), error=RuntimeError)
    _equal_dtypes(input, other)
    return tensor(shape, "bool")


def _equal_dtypes(input, other):
    first = dtype_of(tensor_arg(input))
    second = dtype_of(tensor_arg(other))
    if not is_unknown(first) and not is_unknown(second):
        require(first == second, RuntimeError, f"the dtypes differ: {first} and {second}")


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    isclose(input, other)
    return bool(unknown("the elements are not known"))


@lifted(tensor_arg, "input", "other")
def equal(input, other):
    if ranked(input) and ranked(other) and is_constant(shape_of(input)) and is_constant(shape_of(other)):
        if shape_of(input) != shape_of(other):
            return False
    return bool(unknown("the elements are not known"))


@lifted(tensor_arg, "input", "values")
def heaviside(input, values, *, out=None):
    shape = broadcast(shape_of(input), shape_of(values), error=RuntimeError)
    if not is_unknown(dtype_of(input)) and not is_unknown(dtype_of(values)):
        require(
            dtype_of(input) == dtype_of(values),
            RuntimeError,
            f"heaviside takes one element type, not {dtype_of(input)} and {dtype_of(values)}",
            rule="bad-operand",
        )
    return tensor(shape, dtype_of(input))


def of_one_float(first, second, operation):
    """Requires two tensors of floats of one type."""
    for x in (first, second):
        has_kernel(dtype_of(x), (2,), operation)
    if not is_unknown(dtype_of(first)) and not is_unknown(dtype_of(second)):
        require(
            dtype_of(first) == dtype_of(second),
            RuntimeError,
            f"{operation} takes one element type, not {dtype_of(first)} and {dtype_of(second)}",
            rule="bad-operand",
        )
