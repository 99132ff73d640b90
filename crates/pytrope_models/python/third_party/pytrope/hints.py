"""Shape hints: what `pytrope.hints` means to the analysis."""

from numpy import ndarray
from _pytrope import unknown


class ShapeHint:
    def __init__(self, array_class, dims, at_members=False, dtypes=()):
        self.array_class = array_class
        self.dims = dims
        # The types of elements that it allows; all if none is named.
        self.dtypes = dtypes
        # Whether each member of a family of roles has such an array.
        self.at_members = at_members

    def __or__(self, other):
        return unknown("a union of hints")

    def __ror__(self, other):
        return unknown("a union of hints")


class ObjectHint:
    """What a parameter of code that is not called is, where a library says so by its annotation."""

    def __init__(self, value):
        self.value = value


class NdArray:
    def __class_getitem__(cls, dims):
        if isinstance(dims, tuple):
            return ShapeHint(ndarray, dims)
        return ShapeHint(ndarray, (dims,))


Dyn = unknown("Dyn")


def TensorType(dims):
    from torch import Tensor

    return ShapeHint(Tensor, tuple([int if is_dynamic(dim) else dim for dim in dims]))


def is_dynamic(dim):
    return not isinstance(dim, int) and not isinstance(dim, str)


def _dimension(token):
    token = token.split("=")[-1]
    if token.isdigit():
        return int(token)
    if token.startswith("...") or token.startswith("*"):
        return ...
    # A name, or a sum of a name and a number such as `n+1`; `_`, `#n` and `?n` may be any size.
    if token[:1].isalpha():
        return token
    return int


class SpelledHint:
    """`Float[np.ndarray, "batch 3"]`: jaxtyping's notation, one string for all sizes."""

    _dtypes = ()

    def __class_getitem__(cls, item):
        array_class, spec = item
        if isinstance(spec, str) and isinstance(array_class, type):
            # A sum written with spaces is none of jaxtyping's dimensions: what its author meant is not said.
            if [token for token in spec.split() if token[:1] in "+-/%"]:
                return unknown("a hint with a sum in it")
            return ShapeHint(array_class, tuple([_dimension(token) for token in spec.split()]), False, cls._dtypes)
        return unknown("a hint that is not a string")


FLOATS = (
    "float16",
    "float32",
    "float64",
    "float128",
    "longdouble",
    "bfloat16",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
)
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
COMPLEX = ("complex64", "complex128")


class Shaped(SpelledHint):
    pass


class Bool(SpelledHint):
    _dtypes = ("bool",)


class Float(SpelledHint):
    _dtypes = FLOATS


class Int(SpelledHint):
    _dtypes = SIGNED
