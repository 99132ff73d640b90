"""tf.DType: element types as values, and the names that are written for them."""

from _pytrope import is_unknown, unknown


class DType:
    def __init__(self, name, group):
        self.name = name
        self._group = group

    @property
    def is_floating(self):
        return self._group == "f"

    @property
    def is_integer(self):
        return self._group == "i"

    @property
    def is_bool(self):
        return self._group == "b"

    @property
    def is_complex(self):
        return self._group == "c"

    @property
    def as_numpy_dtype(self):
        return unknown("a NumPy type")

    @property
    def base_dtype(self):
        return self

    @property
    def max(self):
        return unknown("the largest number of a type")

    @property
    def min(self):
        return unknown("the smallest number of a type")

    @property
    def size(self):
        return unknown("the bytes of an element")

    @property
    def limits(self):
        return unknown("the range of a type")

    def __eq__(self, other):
        if is_unknown(other):
            return unknown("a comparison of dtypes")
        own = written(other)
        if is_unknown(own):
            return unknown("a comparison of dtypes")
        return own == self.name

    def __ne__(self, other):
        if is_unknown(other):
            return unknown("a comparison of dtypes")
        own = written(other)
        if is_unknown(own):
            return unknown("a comparison of dtypes")
        return own != self.name

    def __hash__(self):
        return unknown("the hash of a dtype")


bool_ = DType("bool", "b")
uint8 = DType("uint8", "i")
uint16 = DType("uint16", "i")
uint32 = DType("uint32", "i")
uint64 = DType("uint64", "i")
int8 = DType("int8", "i")
int16 = DType("int16", "i")
int32 = DType("int32", "i")
int64 = DType("int64", "i")
float16 = DType("float16", "f")
bfloat16 = DType("bfloat16", "f")
float32 = DType("float32", "f")
float64 = DType("float64", "f")
complex64 = DType("complex64", "c")
complex128 = DType("complex128", "c")
string = DType("string", "s")

BY_NAME = {
    "bool": bool_,
    "uint8": uint8,
    "uint16": uint16,
    "uint32": uint32,
    "uint64": uint64,
    "int8": int8,
    "int16": int16,
    "int32": int32,
    "int64": int64,
    "float16": float16,
    "half": float16,
    "bfloat16": bfloat16,
    "float32": float32,
    "float": float32,
    "float64": float64,
    "double": float64,
    "complex64": complex64,
    "complex128": complex128,
    "string": string,
}


def value(name):
    """The dtype object of a name; Unknown stays Unknown."""
    if is_unknown(name) or name not in BY_NAME:
        return unknown("the dtype is not known")
    return BY_NAME[name]


def written(given, default=None):
    """The name of a `dtype=` argument, or the default when there was none."""
    if is_unknown(given):
        return unknown("the dtype is not known")
    if given is None:
        return default
    if isinstance(given, DType):
        return given.name
    if isinstance(given, str):
        return BY_NAME[given].name if given in BY_NAME else unknown("the dtype is not known")
    if given is float:
        return "float32"
    if given is int:
        return "int32"
    if given is bool:
        return "bool"
    if isinstance(given, type):
        return getattr(given, "_dtype_name", unknown("the dtype is not known"))
    name = getattr(given, "_name", None)
    return name if isinstance(name, str) else unknown("the dtype is not known")


def group(name):
    """`f`, `i`, `b`, `c` or `s`; Unknown for Unknown."""
    if is_unknown(name) or name not in BY_NAME:
        return unknown("the dtype is not known")
    return BY_NAME[name]._group
