"""Parameters: tensors that a module owns."""

from _pytrope import array, dtype_of, is_array, is_unknown, is_untracked, proved, shape_of, size_arg, unknown

from .. import _dtypes
from .._origin import certain, device_of, needs_grad, placed
from .._tensor import Tensor


class Parameter(Tensor):
    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            return array(cls, (0,), "float32")
        if is_unknown(data):
            return array(cls, unknown("the parameter's data is not known"), None)
        if is_array(data):
            return placed(array(cls, shape_of(data), dtype_of(data)), device_of(data), requires_grad)
        return array(cls, unknown("the parameter's data is not known"), None)

    def __init__(self, data=None, requires_grad=True):
        pass

    def __deepcopy__(self, memo):
        return placed(array(Parameter, shape_of(self), dtype_of(self)), device_of(self), needs_grad(self))

    @property
    def requires_grad(self):
        if self._origin is None or certain(needs_grad(self), True):
            return True
        return bool(unknown("whether gradients are kept"))

    @requires_grad.setter
    def requires_grad(self, value):
        self._origin = (device_of(self), value, True, False)


class UninitializedParameter(Parameter):
    pass


class Buffer(Tensor):
    def __new__(cls, data=None, *, persistent=True):
        if data is None:
            return array(cls, (0,), "float32")
        if is_array(data):
            return array(cls, shape_of(data), dtype_of(data))
        return array(cls, unknown("the buffer's data is not known"), None)

    def __init__(self, data=None, *, persistent=True):
        pass


def parameter(shape, dtype=None, device=None):
    """A parameter of a layer that was given a dtype and a device, or none."""
    # A layer without features is legal and has no use: unknown sizes of code that is not called are at least 1.
    size_arg(shape, 1)
    made = array(Parameter, shape, "float32" if proved(dtype is None) else _dtypes.name(dtype, "float32"))
    return made if is_untracked() else placed(made, device, True)
