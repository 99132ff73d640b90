"""Universal functions: elementwise, broadcasting, with `out`, `where`, `dtype` and their methods."""

from _pytrope import (
    array,
    array_like,
    broadcast,
    call_back,
    dtype_of,
    elementwise,
    has_rank,
    havoc,
    index_shape,
    is_array,
    is_constant,
    is_unknown,
    lifted,
    require,
    result_dtype,
    set_values,
    shape_of,
    some,
    store_check,
    unknown,
)

from _shapes import check_axis, replace_axis

from ._array import _Array, ndarray, wrap
from ._convert import as_array_arg
from ._dtypes import KINDS, float_of, mean_of, real_of, sum_of
from ._operators import ORDER
from ._out import into
from ._reductions import accumulate, reduction
from ._types import dtype_name
from .exceptions import AxisError


# Of these, an empty reduction has no value.
NO_IDENTITY = ("maximum", "minimum", "fmax", "fmin")


class ufunc:
    """A universal function with `nin` operands whose result dtype follows `rule`."""

    def __init__(self, name, nin, rule, op=None, identity=None):
        self.__name__ = name
        self.nin = nin
        self.nout = 1
        self.nargs = nin + 1
        self.rule = rule
        self.op = op
        self.identity = identity
        self.signature = None

    def __call__(
        self,
        *args,
        out=None,
        where=True,
        casting="same_kind",
        order="K",
        dtype=None,
        subok=True,
        signature=None,
        axes=None,
        axis=None,
        keepdims=False,
    ):
        if not has_rank(args):
            return unknown("a ufunc with unknown arguments")
        if len(args) < self.nin or len(args) > self.nin + 1:
            raise TypeError(
                f"{self.__name__}() takes from {self.nin} to {self.nin + 1} positional arguments "
                f"but {len(args)} were given"
            )
        if len(args) > self.nin:
            out = args[self.nin]
        if dtype is not None or signature is not None or not is_constant(casting) or casting != "same_kind":
            # The operands are converted first: their own types decide nothing.
            parts = converted(args[: self.nin], dtype)
        else:
            parts = elementwise(_Array, self.rule, self.op, args[: self.nin])
        if is_unknown(parts):
            if out is not None and not is_unknown(out) and is_array(out, _Array):
                set_values(out, None)
                return out
            return parts
        result, computed, values = parts
        if where is not True:
            mask, _, _ = array_like(where)
            if is_unknown(mask):
                return unknown("a ufunc with an unknown mask")
            result = broadcast(result, mask)
            values = None
        name = computed if dtype is None else dtype_name(dtype)
        if isinstance(out, tuple):
            out = out[0] if len(out) == 1 else unknown("several outputs")
        if out is not None:
            return written(out, result, name if casting == "same_kind" else unknown("a dtype that is converted"))
        return wrap(result, name, values if dtype is None else None)

    @lifted(as_array_arg, "array")
    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
        if has_rank(shape_of(array)) and len(shape_of(array)) == 0 and axis == 0:
            axis = None
        if self.rule == "arithmetic" and self.identity is None:
            name = dtype_of(array)
        elif self.rule == "test":
            name = "bool"
        else:
            name = sum_of(dtype_of(array))
        if self.__name__ in NO_IDENTITY and initial is None:
            no_identity(array, axis)
        return reduction(array, axis, dtype_name(dtype, name), out, keepdims, where)

    def accumulate(self, array, axis=0, dtype=None, out=None):
        if out is not None:
            return into(out)
        a = as_array_arg(array)
        if is_unknown(a):
            return a
        if self.rule == "arithmetic" and self.identity is None:
            name = dtype_of(a)
        elif self.rule == "test":
            name = "bool"
        else:
            name = sum_of(dtype_of(a))
        return accumulate(a, axis, dtype_name(dtype, name))

    @lifted(as_array_arg, "A", "B")
    def outer(self, A, B, /, **kwargs):
        if not has_rank(shape_of(A)) or not has_rank(shape_of(B)):
            return unknown("an outer product of unknown ranks")
        return wrap(shape_of(A) + shape_of(B), result_dtype(self.rule, (dtype_of(A), dtype_of(B))))

    def at(self, a, indices, b=None, /):
        if is_unknown(a) or not is_array(a, _Array):
            return unknown("a ufunc applied to an unknown object")
        if b is None:
            index_shape(shape_of(a), indices)
        else:
            store_check(shape_of(a), indices, None, value=b)
        set_values(a, None)
        return None

    def reduceat(self, array, indices, axis=0, dtype=None, out=None):
        if out is not None:
            return into(out)
        a = as_array_arg(array)
        where, _, _ = array_like(indices)
        if is_unknown(a) or is_unknown(where) or not has_rank(where) or not has_rank(shape_of(a)):
            return unknown("reduceat of an unknown array")
        one = check_axis(axis, len(shape_of(a)), AxisError, shape_of(a))
        if is_unknown(one) or len(where) != 1:
            return unknown("reduceat of an unknown array")
        if self.rule == "arithmetic" and self.identity is None:
            name = dtype_of(a)
        else:
            name = "bool" if self.rule == "test" else sum_of(dtype_of(a))
        return a._array(replace_axis(shape_of(a), one, where[0]), name)


def converted(operands, dtype):
    """Shape, dtype and values of a result whose operands are converted to a dtype before the computation."""
    shape = ()
    for operand in operands:
        given, _, _ = array_like(operand)
        if is_unknown(given):
            return unknown("a ufunc of an unknown operand")
        shape = broadcast(shape, given)
    return (shape, unknown("the dtype of a conversion"), None)


def no_identity(a, axis):
    """A reduction that has no identity needs an element."""
    shape = shape_of(a)
    if not has_rank(shape) or len(shape) == 0 or isinstance(axis, tuple):
        return
    if axis is None:
        return
    one = check_axis(axis, len(shape), AxisError, shape)
    if is_unknown(one):
        return
    if is_constant(shape[one]) and shape[one] == 0:
        for position, size in enumerate(shape):
            if position != one and (not is_constant(size) or size == 0):
                return
        raise ValueError(f"a reduction without identity over an empty axis of shape {shape}")


def written(out, shape, name):
    """A result written to `out`, which must have exactly the broadcast shape and hold the dtype."""
    if is_unknown(out) or not is_array(out, _Array):
        return unknown("a result written to an unknown object")
    own = shape_of(out)
    if has_rank(own) and has_rank(shape):
        broadcast(own, shape, out=own)
    mine = dtype_of(out)
    if not is_unknown(name) and not is_unknown(mine):
        require(
            ORDER[KINDS[name]] <= ORDER[KINDS[mine]],
            TypeError,
            f"the result is {name}, which cannot be written to an array of {mine}",
            rule="bad-operand",
        )
    set_values(out, None)
    return out


add = ufunc("add", 2, "arithmetic", "add", 0)
subtract = ufunc("subtract", 2, "subtract", "subtract")
multiply = ufunc("multiply", 2, "arithmetic", "multiply", 1)
divide = true_divide = ufunc("divide", 2, "divide")
floor_divide = ufunc("floor_divide", 2, "ordered", "floor_divide")
mod = ufunc("remainder", 2, "ordered", "remainder")
fmod = ufunc("fmod", 2, "ordered")
power = ufunc("power", 2, "power")
float_power = ufunc("float_power", 2, "wide")
maximum = ufunc("maximum", 2, "arithmetic", "maximum")
minimum = ufunc("minimum", 2, "arithmetic", "minimum")
fmax = ufunc("fmax", 2, "arithmetic")
fmin = ufunc("fmin", 2, "arithmetic")
arctan2 = atan2 = ufunc("arctan2", 2, "real float")
hypot = ufunc("hypot", 2, "real float")
logaddexp = ufunc("logaddexp", 2, "real float")
logaddexp2 = ufunc("logaddexp2", 2, "real float")
copysign = ufunc("copysign", 2, "real float")
nextafter = ufunc("nextafter", 2, "real float")
heaviside = ufunc("heaviside", 2, "real float")
ldexp = ufunc("ldexp", 2, "ldexp")
less = ufunc("less", 2, "compare")
less_equal = ufunc("less_equal", 2, "compare")
greater = ufunc("greater", 2, "compare")
greater_equal = ufunc("greater_equal", 2, "compare")
equal = ufunc("equal", 2, "compare")
not_equal = ufunc("not_equal", 2, "compare")
logical_and = ufunc("logical_and", 2, "test", None, True)
logical_or = ufunc("logical_or", 2, "test", None, False)
logical_xor = ufunc("logical_xor", 2, "test", None, False)
bitwise_and = ufunc("bitwise_and", 2, "integer")
bitwise_or = ufunc("bitwise_or", 2, "integer")
bitwise_xor = ufunc("bitwise_xor", 2, "integer")
left_shift = bitwise_left_shift = ufunc("left_shift", 2, "shift")
right_shift = bitwise_right_shift = ufunc("right_shift", 2, "shift")
gcd = ufunc("gcd", 2, "divisor")
lcm = ufunc("lcm", 2, "divisor")

sqrt = ufunc("sqrt", 1, "float")
exp = ufunc("exp", 1, "float")
log = ufunc("log", 1, "float")
sin = ufunc("sin", 1, "float")
cos = ufunc("cos", 1, "float")
tan = ufunc("tan", 1, "float")
sinh = ufunc("sinh", 1, "float")
cosh = ufunc("cosh", 1, "float")
tanh = ufunc("tanh", 1, "float")
arcsin = asin = ufunc("arcsin", 1, "float")
arccos = acos = ufunc("arccos", 1, "float")
arctan = atan = ufunc("arctan", 1, "float")
arcsinh = asinh = ufunc("arcsinh", 1, "float")
arccosh = acosh = ufunc("arccosh", 1, "float")
arctanh = atanh = ufunc("arctanh", 1, "float")
log2 = ufunc("log2", 1, "float")
log10 = ufunc("log10", 1, "float")
log1p = ufunc("log1p", 1, "float")
expm1 = ufunc("expm1", 1, "float")
exp2 = ufunc("exp2", 1, "float")
cbrt = ufunc("cbrt", 1, "real float")
deg2rad = ufunc("deg2rad", 1, "real float")
rad2deg = ufunc("rad2deg", 1, "real float")
degrees = ufunc("degrees", 1, "real float")
radians = ufunc("radians", 1, "real float")
fabs = ufunc("fabs", 1, "real float")
spacing = ufunc("spacing", 1, "real float")
floor = ufunc("floor", 1, "rounding")
ceil = ufunc("ceil", 1, "rounding")
trunc = ufunc("trunc", 1, "rounding")
rint = ufunc("rint", 1, "float")
absolute = abs = ufunc("absolute", 1, "magnitude")
negative = ufunc("negative", 1, "numeric", "negative")
positive = ufunc("positive", 1, "numeric", "positive")
square = ufunc("square", 1, "power", "square")
reciprocal = ufunc("reciprocal", 1, "power")
sign = ufunc("sign", 1, "numeric")
conjugate = conj = ufunc("conjugate", 1, "power")
invert = bitwise_not = bitwise_invert = ufunc("invert", 1, "integer")
bitwise_count = ufunc("bitwise_count", 1, "bits")
isnan = ufunc("isnan", 1, "test")
isinf = ufunc("isinf", 1, "test")
isfinite = ufunc("isfinite", 1, "test")
signbit = ufunc("signbit", 1, "test")
logical_not = ufunc("logical_not", 1, "test")


@lifted(as_array_arg, "x")
def shaped_like(x, name=None):
    """An array or scalar of the argument's shape."""
    return wrap(shape_of(x), dtype_of(x) if name is None else name)


@lifted(as_array_arg, "x")
def kept(x, name=None):
    """As `shaped_like`, but arrays stay arrays at rank 0."""
    return x._like(shape_of(x), dtype_of(x) if name is None else name)


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a, b = as_array_arg(a), as_array_arg(b)
    if is_unknown(a) or is_unknown(b) or not isinstance(rtol, (int, float)) or not isinstance(atol, (int, float)):
        return unknown("isclose of an unknown array")
    return wrap(broadcast(shape_of(a), shape_of(b)), "bool")


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a, b = as_array_arg(a), as_array_arg(b)
    if not is_unknown(a) and not is_unknown(b):
        broadcast(shape_of(a), shape_of(b))
    return unknown("whether arrays are close")


def array_equal(a1, a2, equal_nan=False):
    return unknown("whether arrays are equal")


def array_equiv(a1, a2):
    return unknown("whether arrays are equal")


def part_test(x):
    """`isreal` and `iscomplex`: a plain bool for a plain number."""
    if isinstance(x, (int, float, complex)) and not is_array(x):
        return unknown("whether a number is real")
    return shaped_like(x, "bool")


def iscomplex(x):
    return part_test(x)


def isreal(x):
    return part_test(x)


def isneginf(x, out=None):
    if out is not None:
        return into(out)
    return shaped_like(x, "bool")


def isposinf(x, out=None):
    if out is not None:
        return into(out)
    return shaped_like(x, "bool")


def iscomplexobj(x):
    a = as_array_arg(x)
    if is_unknown(a) or is_unknown(dtype_of(a)):
        return unknown("whether a dtype is complex")
    return KINDS[dtype_of(a)] == "c"


def isrealobj(x):
    a = as_array_arg(x)
    if is_unknown(a) or is_unknown(dtype_of(a)):
        return unknown("whether a dtype is real")
    return KINDS[dtype_of(a)] != "c"


def real(val):
    a = as_array_arg(val)
    if is_unknown(a):
        return a
    if not is_array(val):
        return kept(a, real_of(dtype_of(a))) if isinstance(val, (list, tuple)) else unknown("the real part of a number")
    return a.real


def imag(val):
    a = as_array_arg(val)
    if is_unknown(a):
        return a
    if not is_array(val):
        return (
            kept(a, real_of(dtype_of(a)))
            if isinstance(val, (list, tuple))
            else unknown("the imaginary part of a number")
        )
    return a.imag


@lifted(as_array_arg, "z")
def angle(z, deg=False):
    return wrap(shape_of(z), real_of(float_of(dtype_of(z))))


@lifted(as_array_arg, "a")
def real_if_close(a, tol=100):
    return a._array(
        shape_of(a),
        unknown("a dtype that depends on values")
        if is_unknown(dtype_of(a)) or KINDS[dtype_of(a)] == "c"
        else dtype_of(a),
    )


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    return shaped_like(x)


def fix(x, out=None):
    if out is not None:
        return into(out)
    return trunc(x)


def around(a, decimals=0, out=None):
    if out is not None:
        return into(out)
    a = as_array_arg(a)
    if is_unknown(a):
        return a
    name = dtype_of(a)
    if not is_unknown(name) and name == "bool":
        name = "float16"
    return wrap(shape_of(a), name)


round = around
round_ = around


@lifted(as_array_arg, "x")
def sinc(x):
    return wrap(shape_of(x), mean_of(dtype_of(x)))


@lifted(as_array_arg, "x")
def i0(x):
    return x._array(shape_of(x), mean_of(dtype_of(x)))


@lifted(as_array_arg, "x")
def two(x, first, second):
    """Two results of the argument's shape."""
    return (
        wrap(shape_of(x), float_of(dtype_of(x)) if first is None else first),
        wrap(shape_of(x), float_of(dtype_of(x)) if second is None else second),
    )


def modf(x, /, *outs, out=None, **kwargs):
    if out is not None or kwargs or not has_rank(outs) or len(outs) > 0:
        return unknown("several results written to arrays")
    return two(x, None, None)


def frexp(x, /, *outs, out=None, **kwargs):
    if out is not None or kwargs or not has_rank(outs) or len(outs) > 0:
        return unknown("several results written to arrays")
    return two(x, None, "int32")


def divmod(x1, x2, /, *outs, out=None, **kwargs):
    if out is not None or kwargs or not has_rank(outs) or len(outs) > 0:
        return unknown("several results written to arrays")
    return (floor_divide(x1, x2), mod(x1, x2))


@lifted(as_array_arg, "a")
def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None, **kwargs):
    return a._clip(a_min if min is None else min, a_max if max is None else max, out)


def interp(x, xp, fp, left=None, right=None, period=None):
    a, xs, ys = as_array_arg(x), as_array_arg(xp), as_array_arg(fp)
    if is_unknown(a):
        return a
    if not is_unknown(xs) and not is_unknown(ys) and has_rank(shape_of(xs)) and has_rank(shape_of(ys)):
        if len(shape_of(xs)) == 1 and len(shape_of(ys)) == 1:
            require(
                shape_of(xs)[0] == shape_of(ys)[0],
                ValueError,
                f"xp has shape {shape_of(xs)} but fp has shape {shape_of(ys)}",
                rule="shape-argument",
            )
    return wrap(
        shape_of(a),
        unknown("real or complex")
        if is_unknown(ys) or is_unknown(dtype_of(ys))
        else ("complex128" if KINDS[dtype_of(ys)] == "c" else "float64"),
    )


@lifted(as_array_arg, "p")
def unwrap(p, discont=None, axis=-1, *, period=6.283185307179586):
    shape = shape_of(p)
    if has_rank(shape):
        require(len(shape) > 0, ValueError, "unwrap needs at least a vector", rule="shape-argument")
        check_axis(axis, len(shape), AxisError, shape)
    return p._array(shape, mean_of(dtype_of(p)))


class vectorize:
    """A function applied element by element; its results have the broadcast shape."""

    def __init__(self, pyfunc=None, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        self.plain = excluded is None and signature is None
        self.pyfunc = pyfunc
        self.otypes = otypes

    def __call__(self, *args, **kwargs):
        if not self.plain or self.pyfunc is None or is_unknown(self.pyfunc) or len(kwargs) > 0 or not has_rank(args):
            havoc(self.pyfunc)
            return unknown("the result of a vectorised function")
        shapes = []
        elements = []
        for one in args:
            given, name, _ = array_like(one)
            if is_unknown(given):
                havoc(self.pyfunc)
                return unknown("a vectorised function of an unknown argument")
            shapes.append(given)
            elements.append(element_of(name))
        shape = broadcast(*shapes)
        result = call_back(self.pyfunc, *elements)
        if self.otypes is not None:
            # What is said of the results comes before what the function returns.
            if not is_constant(len(self.otypes)):
                return unknown("a vectorised function with unknown results")
            if len(self.otypes) == 1:
                return array(ndarray, shape, unknown("a vectorised function"))
            return tuple([array(ndarray, shape, unknown("a vectorised function")) for _ in self.otypes])
        if is_unknown(result):
            return result
        if isinstance(result, tuple):
            return tuple([array(ndarray, shape, unknown("a vectorised function")) for _ in result])
        return array(ndarray, shape, unknown("a vectorised function"))


def element_of(name):
    """A Python number as an array of this dtype holds it."""
    if is_unknown(name):
        return unknown("an element")
    if name == "float64":
        return some(float)
    return some(int) if name == "int64" else unknown("an element")


def frompyfunc(func, /, nin, nout, **kwargs):
    return unknown("a ufunc made from a function")
