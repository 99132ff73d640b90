"""`torchtyping`: `TensorType["batch", 3, float]` is a shape hint."""

from pytrope.hints import ShapeHint


class TensorType:
    def __class_getitem__(cls, item):
        import torch

        items = item if isinstance(item, tuple) else (item,)
        dtypes = tuple([_dtype(each) for each in items if each is float or each is int or each is bool])
        dtypes += tuple([each.name for each in items if isinstance(each, torch.dtype)])
        sizes = tuple([_dimension(each) for each in items if _is_dimension(each)])
        return ShapeHint(torch.Tensor, sizes, False, dtypes)


def _is_dimension(item):
    """Types and dtypes stand beside the dimensions, and say nothing about the shape."""
    return item is ... or item is None or isinstance(item, (int, str, slice))


def _dimension(item):
    if isinstance(item, slice):
        # `"channels": 3` documents a size, `"batch": ...` names any number of them.
        return "*" + item.start if item.stop is ... and item.start is not None else _dimension(item.stop)
    return int if item is None or item == -1 else item


def _dtype(kind):
    if kind is float:
        return "float32"
    return "int64" if kind is int else "bool"


def patch_typeguard():
    return None
