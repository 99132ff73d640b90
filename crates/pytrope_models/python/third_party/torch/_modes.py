"""Gradient modes, devices, seeds, default dtypes: what does not touch shapes."""

from _pytrope import is_unknown, unknown

from . import _dtypes
from ._make import tensor_arg


class no_grad:
    """A context manager and a decorator that leaves its function as it is."""

    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return None

    def __exit__(self, kind, value, traceback):
        return None

    def __call__(self, function):
        return function


class enable_grad(no_grad):
    pass


class set_grad_enabled(no_grad):
    pass


class _InferenceMode(no_grad):
    pass


def inference_mode(mode=True):
    """A manager and decorator that may be used without being called."""
    return mode if callable(mode) else _InferenceMode()


class autocast(no_grad):
    pass


class device:
    def __init__(self, type, index=None):
        name = type
        if isinstance(type, str) and not is_unknown(type):
            name = type.split(":")[0]
        self.type = name if isinstance(name, str) else unknown("the kind of device")
        self.index = unknown("the index of the device")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return None

    def __eq__(self, other):
        return bool(unknown("which device"))


class Generator:
    def __init__(self, device="cpu"):
        self.device = unknown("the device")

    def manual_seed(self, seed):
        return self

    def initial_seed(self):
        return unknown("a seed")

    def seed(self):
        return unknown("a seed")


def manual_seed(seed):
    return Generator()


def is_grad_enabled():
    return bool(unknown("whether gradients are kept"))


def get_default_dtype():
    return _dtypes.float32


def set_default_dtype(d):
    return None


def is_floating_point(input):
    return tensor_arg(input).is_floating_point()


def promote_types(type1, type2):
    return _dtypes.value(_dtypes.wider(_dtypes.name(type1), _dtypes.name(type2)))


def result_type(tensor1, tensor2):
    return _dtypes.value(_dtypes.result(tensor1, tensor2))


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    """A compiled function gives what it gave before; without one this is a decorator."""
    return model if model is not None else lambda function: function


def save(obj, f, *args, **kwargs):
    return None


def load(f, *args, **kwargs):
    return unknown("what a file holds")


def set_num_threads(count):
    return None


def set_float32_matmul_precision(precision):
    return None


def use_deterministic_algorithms(mode, *, warn_only=False):
    return None


def set_printoptions(*args, **kwargs):
    return None
