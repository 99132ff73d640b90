"""`jaxtyping`: `Float[np.ndarray, "batch 3"]` is a shape hint."""

from _pytrope import unknown
from pytrope.hints import Bool, Float, Int, Shaped, SpelledHint


class Num(SpelledHint):
    pass


class Inexact(SpelledHint):
    pass


class Real(SpelledHint):
    pass


class Complex(SpelledHint):
    pass


class Float16(SpelledHint):
    pass


class Float32(SpelledHint):
    pass


class Float64(SpelledHint):
    pass


class Int8(SpelledHint):
    pass


class Int16(SpelledHint):
    pass


class Int32(SpelledHint):
    pass


class Int64(SpelledHint):
    pass


class UInt(SpelledHint):
    pass


class UInt8(SpelledHint):
    pass


class Integer(SpelledHint):
    pass


def jaxtyped(*args, **kwargs):
    return unknown("jaxtyping.jaxtyped")


PyTree = unknown("jaxtyping.PyTree")
Array = unknown("jaxtyping.Array")
ArrayLike = unknown("jaxtyping.ArrayLike")
