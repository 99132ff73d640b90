"""The dtypes as values, and which dtype an operation on several operands gives."""

from _pytrope import dtype_of, is_array, is_unknown, shape_of, unknown

from ._make import ranked


class dtype:
    def __init__(self, name, rank, bits):
        self.name = name
        self.category = rank
        self.bits = bits

    @property
    def is_floating_point(self):
        return self.category == 2

    @property
    def is_complex(self):
        return self.category == 3

    @property
    def itemsize(self):
        return self.bits // 8

    def __repr__(self):
        return "torch." + self.name


bool_ = dtype("bool", 0, 8)
uint8 = dtype("uint8", 1, 8)
int8 = dtype("int8", 1, 8)
int16 = dtype("int16", 1, 16)
int32 = dtype("int32", 1, 32)
int64 = dtype("int64", 1, 64)
float16 = dtype("float16", 2, 16)
bfloat16 = dtype("bfloat16", 2, 16)
float32 = dtype("float32", 2, 32)
float64 = dtype("float64", 2, 64)
complex64 = dtype("complex64", 3, 64)
complex128 = dtype("complex128", 3, 128)

BY_NAME = {
    "bool": bool_,
    "uint8": uint8,
    "int8": int8,
    "int16": int16,
    "int32": int32,
    "int64": int64,
    "float16": float16,
    "bfloat16": bfloat16,
    "float32": float32,
    "float64": float64,
    "complex64": complex64,
    "complex128": complex128,
}


def value(name):
    """The dtype object of a name; Unknown stays Unknown."""
    if is_unknown(name):
        return unknown("the dtype is not known")
    if name in BY_NAME:
        return BY_NAME[name]
    return unknown("the dtype is not known")


def name(given, default=None):
    """The name of a `dtype=` argument, or the default when there was none."""
    if is_unknown(given):
        return unknown("the dtype is not known")
    if given is None:
        return default
    if isinstance(given, dtype):
        return given.name
    return unknown("the dtype is not known")


def category(dtype_name):
    if is_unknown(dtype_name) or dtype_name not in BY_NAME:
        return unknown("the dtype is not known")
    return BY_NAME[dtype_name].category


def wider(first, second):
    """The dtype that two tensors of equal standing promote to."""
    if is_unknown(first) or is_unknown(second):
        return unknown("the dtype is not known")
    if first == second:
        return first
    if first not in BY_NAME or second not in BY_NAME:
        return unknown("the dtype is not known")
    a = BY_NAME[first]
    b = BY_NAME[second]
    if a.category != b.category:
        low, high = (a, b) if a.category < b.category else (b, a)
        if high.category == 3 and low.category == 2 and low.bits > 32:
            return "complex128"
        return high.name
    if a.bits != b.bits:
        low, high = (a, b) if a.bits < b.bits else (b, a)
        if low.name == "uint8" or high.category != 1:
            return high.name
        return high.name
    if a.category == 1:
        return "int16"
    return "float32"


# What autocast turns into one another on the way into a product or a layer; float64 and integers stay what they are.
CAST_BY_AUTOCAST = ("float16", "bfloat16", "float32")


def may_meet(first, second):
    """Whether a product or a layer may take elements of both types: equal ones, and those that autocast makes equal."""
    return first == second or (first in CAST_BY_AUTOCAST and second in CAST_BY_AUTOCAST)


def magnitude(dtype_name):
    """The type of absolute values."""
    if is_unknown(dtype_name):
        return dtype_name
    return {"complex64": "float32", "complex128": "float64"}.get(dtype_name, dtype_name)


def standing(operand):
    """(dtype, weight) of an operand: 2 for a tensor with dimensions, 1 for a scalar tensor, 0 for a number."""
    if is_array(operand):
        if not ranked(operand):
            return (dtype_of(operand), 3)
        return (dtype_of(operand), 2 if len(shape_of(operand)) > 0 else 1)
    if is_unknown(operand):
        return (unknown("the dtype is not known"), 3)
    if isinstance(operand, bool):
        return ("bool", 0)
    if isinstance(operand, int):
        return ("int64", 0)
    if isinstance(operand, float):
        return ("float32", 0)
    if isinstance(operand, complex):
        return ("complex64", 0)
    return (unknown("the dtype is not known"), 3)


def result(first, second):
    """The dtype of an operation on two operands, tensors or numbers, by PyTorch's categories."""
    one, weight = standing(first)
    two, other = standing(second)
    if is_unknown(one) or is_unknown(two):
        return unknown("the dtype is not known")
    if one == two:
        return one
    if weight == 3 or other == 3:
        if weight >= 1 and other >= 1:
            return unknown("the dtype depends on the ranks")
        weight = 2 if weight == 3 else weight
        other = 2 if other == 3 else other
    if weight == other:
        return wider(one, two)
    strong, weak = (one, two) if weight > other else (two, one)
    if category(weak) <= category(strong):
        return strong
    if category(weak) == 2:
        return weak if min(weight, other) > 0 else "float32"
    if category(weak) == 3:
        if strong in ("float16", "bfloat16"):
            return unknown("a complex type of half precision")
        return "complex128" if strong == "float64" else "complex64"
    return weak


def floating(dtype_name, default="float32"):
    """What a function that needs floats makes of a dtype."""
    kind = category(dtype_name)
    if is_unknown(kind):
        return unknown("the dtype is not known")
    return default if kind < 2 else dtype_name


def counted(dtype_name):
    """What sums and products of integers and bools accumulate in."""
    kind = category(dtype_name)
    if is_unknown(kind):
        return unknown("the dtype is not known")
    return "int64" if kind < 2 else dtype_name


class finfo:
    def __init__(self, type=None):
        chosen = name(type, "float32")
        self.dtype = chosen
        self.bits = unknown("bits") if is_unknown(chosen) else BY_NAME[chosen].bits
        self.eps = unknown("eps")
        self.max = unknown("max")
        self.min = unknown("min")
        self.tiny = unknown("tiny")
        self.smallest_normal = unknown("tiny")
        self.resolution = unknown("resolution")


class iinfo:
    def __init__(self, type):
        chosen = name(type)
        if is_unknown(chosen):
            self.bits = unknown("bits")
            self.max = unknown("max")
            self.min = unknown("min")
        else:
            self.bits = BY_NAME[chosen].bits
            self.max = 255 if chosen == "uint8" else 2 ** (self.bits - 1) - 1
            self.min = 0 if chosen == "uint8" else -(2 ** (self.bits - 1))
        self.dtype = chosen
