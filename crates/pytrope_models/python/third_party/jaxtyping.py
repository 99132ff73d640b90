"""`jaxtyping`: `Float[np.ndarray, "batch 3"]` is a shape hint."""

from _pytrope import unknown
from pytrope.hints import ShapeHint


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


class _Hint:
    def __class_getitem__(cls, item):
        array_class, spec = item
        if isinstance(spec, str) and isinstance(array_class, type):
            # A sum written with spaces is none of jaxtyping's dimensions: what its author meant is not said.
            if [token for token in spec.split() if token[:1] in "+-/%"]:
                return unknown("a hint with a sum in it")
            return ShapeHint(array_class, tuple([_dimension(token) for token in spec.split()]))
        return unknown("a hint that is not a string")


class Shaped(_Hint):
    pass


class Bool(_Hint):
    pass


class Num(_Hint):
    pass


class Inexact(_Hint):
    pass


class Real(_Hint):
    pass


class Complex(_Hint):
    pass


class Float(_Hint):
    pass


class Float16(_Hint):
    pass


class Float32(_Hint):
    pass


class Float64(_Hint):
    pass


class Int(_Hint):
    pass


class Int8(_Hint):
    pass


class Int16(_Hint):
    pass


class Int32(_Hint):
    pass


class Int64(_Hint):
    pass


class UInt(_Hint):
    pass


class UInt8(_Hint):
    pass


class Integer(_Hint):
    pass


def jaxtyped(*args, **kwargs):
    return unknown("jaxtyping.jaxtyped")


PyTree = unknown("jaxtyping.PyTree")
Array = unknown("jaxtyping.Array")
ArrayLike = unknown("jaxtyping.ArrayLike")
