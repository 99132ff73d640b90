"""`torchtyping`: `TensorType["batch", 3, float]` is a shape hint."""

from pytrope.hints import ShapeHint


class TensorType:
    def __class_getitem__(cls, item):
        from torch import Tensor

        items = item if isinstance(item, tuple) else (item,)
        return ShapeHint(Tensor, tuple([_dimension(each) for each in items if _is_dimension(each)]))


def _is_dimension(item):
    """Types and dtypes stand beside the dimensions, and say nothing about the shape."""
    return item is ... or isinstance(item, (int, str))


def _dimension(item):
    return int if item == -1 else item


def patch_typeguard():
    return None
