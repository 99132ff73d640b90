"""torch.fx.tensor_type: gradual shape types, which do nothing when code runs."""

from _pytrope import unknown

Dyn = unknown("a dynamic type")


class TensorType:
    def __init__(self, dim):
        self.__args__ = dim
