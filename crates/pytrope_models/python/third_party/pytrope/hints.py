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

    def _or_none(self):
        return OptionalHint(self)

    def __or__(self, other):
        return self._or_none() if other is None else unknown("a union of hints")

    def __ror__(self, other):
        return self._or_none() if other is None else unknown("a union of hints")


class OptionalHint:
    """`Float[Tensor, "n"] | None`"""

    def __init__(self, hint):
        self.hint = hint


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
    """`rows=4` documents a size; `_` and `?n` may be any."""
    token = token.split("=")[-1]
    if token.isdigit():
        return int(token)
    if token[:1] == "_" or token[:1] == "?":
        return int
    return ... if token == "..." or token == "*_" else token


class SpelledHint:
    """`Float[np.ndarray, "batch 3"]`: jaxtyping's notation, one string for all sizes."""

    _dtypes = ()

    def __class_getitem__(cls, item):
        array_class, spec = item
        if not isinstance(spec, str):
            return unknown("a hint that is not a string")
        # A sum written with spaces is none of jaxtyping's dimensions: what its author meant is not said.
        if [token for token in spec.split() if token[:1] in "+-/%"]:
            return unknown("a hint with a sum in it")
        dims = tuple([_dimension(token) for token in spec.split()])
        if isinstance(array_class, type):
            return ShapeHint(array_class, dims, False, cls._dtypes)
        if type(array_class).__name__ == "ShapeHint":
            # `Float[Image, "batch"]`: more sizes before those of another hint.
            return ShapeHint(array_class.array_class, dims + array_class.dims, False, array_class.dtypes)
        return unknown("a hint for another class")


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
