"""Shape hints: what `pytrope.hints` means to the analysis."""

from numpy import ndarray
from _pytrope import unknown


class ShapeHint:
    def __init__(self, array_class, dims):
        self.array_class = array_class
        self.dims = dims

    def __or__(self, other):
        return unknown("a union of hints")

    def __ror__(self, other):
        return unknown("a union of hints")


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
