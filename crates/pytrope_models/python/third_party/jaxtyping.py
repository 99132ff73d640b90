"""`jaxtyping`: `Float[np.ndarray, "batch 3"]` is a shape hint."""

from jax import Array

from _pytrope import unknown
from pytrope.hints import COMPLEX, FLOATS, SIGNED, UNSIGNED, Bool, Float, Int, Shaped, SpelledHint


class Num(SpelledHint):
    _dtypes = FLOATS + SIGNED + UNSIGNED + COMPLEX


class Inexact(SpelledHint):
    _dtypes = FLOATS + COMPLEX


class Real(SpelledHint):
    _dtypes = FLOATS + SIGNED + UNSIGNED


class Complex(SpelledHint):
    _dtypes = COMPLEX


class Float16(SpelledHint):
    _dtypes = ("float16",)


class Float32(SpelledHint):
    _dtypes = ("float32",)


class Float64(SpelledHint):
    _dtypes = ("float64",)


class Int8(SpelledHint):
    _dtypes = ("int8",)


class Int16(SpelledHint):
    _dtypes = ("int16",)


class Int32(SpelledHint):
    _dtypes = ("int32",)


class Int64(SpelledHint):
    _dtypes = ("int64",)


class UInt(SpelledHint):
    _dtypes = UNSIGNED


class UInt8(SpelledHint):
    _dtypes = ("uint8",)


class Integer(SpelledHint):
    _dtypes = SIGNED + UNSIGNED


class BFloat16(SpelledHint):
    _dtypes = ("bfloat16",)


class Complex64(SpelledHint):
    _dtypes = ("complex64",)


class Complex128(SpelledHint):
    _dtypes = ("complex128",)


class UInt16(SpelledHint):
    _dtypes = ("uint16",)


class UInt32(SpelledHint):
    _dtypes = ("uint32",)


class UInt64(SpelledHint):
    _dtypes = ("uint64",)


class Float8e4m3fn(SpelledHint):
    _dtypes = ("float8_e4m3fn",)


class Float8e5m2(SpelledHint):
    _dtypes = ("float8_e5m2",)


class Key(SpelledHint):
    _dtypes = ("prng_key",)


def jaxtyped(fn=None, *, typechecker=None):
    """A function or class whose hints are checked as it runs; its body and its calls are held to them here."""
    if isinstance(fn, str):
        return unknown("a context of checks")
    return _unchanged if fn is None else fn


def _unchanged(fn):
    return fn


PyTree = unknown("jaxtyping.PyTree")
ArrayLike = unknown("jaxtyping.ArrayLike")
