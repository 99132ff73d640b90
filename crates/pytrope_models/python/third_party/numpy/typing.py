"""`numpy.typing`: `NDArray` is an array in annotations; what else may be converted to one is Unknown."""

from numpy import ndarray
from _pytrope import unknown

NDArray = ndarray
ArrayLike = unknown("numpy.typing.ArrayLike")
DTypeLike = unknown("numpy.typing.DTypeLike")
NBitBase = unknown("numpy.typing.NBitBase")
