"""Gradient modes, devices, seeds, default dtypes: what does not touch shapes."""

from functools import wraps

from _pytrope import call_back, is_constant, is_unknown, setting, some, unknown

from . import _dtypes
from ._make import is_tensor, tensor_arg
from ._origin import OPEN, grad_mode, set_default_kind, set_grad_mode


# Functions with the parameters of every release of the library.
_pytrope_exact = ("typename",)


class _GradMode:
    """A context manager and a decorator under which gradients are kept or not."""

    _mode = True

    def __init__(self, *args, **kwargs):
        self._before = True

    def __enter__(self):
        # A `return` may leave the block without `__exit__` being followed: what it sets is not certain after it.
        self._before = grad_mode()
        set_grad_mode(OPEN)
        return None

    def __exit__(self, kind, value, traceback):
        set_grad_mode(self._before)
        return None

    def __call__(self, function):
        return under_mode(self._mode, function)


def under_mode(mode, function):
    """A function that sets the mode for its own time. What is no function of the program is left as it is."""
    if is_unknown(function) or isinstance(function, type):
        return function

    @wraps(function)
    def within(*args, **kwargs):
        before = grad_mode()
        set_grad_mode(mode)
        try:
            result = call_back(function, *args, **kwargs)
        finally:
            set_grad_mode(before)
        return result

    return within


class no_grad(_GradMode):
    _mode = False

    def __new__(cls, orig_func=None):
        """Without brackets it is the decorator itself."""
        return under_mode(False, orig_func) if orig_func is not None else super().__new__(cls)


class enable_grad(_GradMode):
    def __new__(cls, orig_func=None):
        return under_mode(True, orig_func) if orig_func is not None else super().__new__(cls)


class set_grad_enabled(_GradMode):
    """Sets the mode at once, and sets it back at the end of a block."""

    def __init__(self, mode):
        self._mode = mode
        self._before = grad_mode()
        set_grad_mode(OPEN)

    def __enter__(self):
        return None

    def __call__(self, function):
        set_grad_mode(self._before)
        return under_mode(self._mode, function)


class _InferenceMode(_GradMode):
    def __init__(self, mode=True):
        self._before = True
        self._mode = not mode if isinstance(mode, bool) else unknown("whether gradients are kept")


def inference_mode(mode=True):
    """A manager and decorator that may be used without being called."""
    return under_mode(False, mode) if callable(mode) else _InferenceMode(mode)


class autocast:
    """A context manager and a decorator that leaves its function as it is."""

    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return None

    def __exit__(self, kind, value, traceback):
        return None

    def __call__(self, function):
        return function


class device:
    def __init__(self, type, index=None):
        name = type
        if isinstance(type, str) and not is_unknown(type):
            name = type.split(":")[0]
        self.type = name if isinstance(name, str) else unknown("the kind of device")
        self.index = unknown("the index of the device")

    def __enter__(self):
        self._before = setting("torch.device", "cpu")
        set_default_kind(unknown("the default device of a block"))
        return self

    def __exit__(self, kind, value, traceback):
        set_default_kind(self._before)
        return None

    def __eq__(self, other):
        return bool(unknown("which device"))


# The device of a tensor where an entry is the whole program: which one it is decides no shape.
some_device = device("cpu")
some_device.type = unknown("the kind of device")


class Generator:
    def __init__(self, device="cpu"):
        self.device = unknown("the device")

    def manual_seed(self, seed):
        return self

    def initial_seed(self):
        return unknown("a seed")

    def seed(self):
        return unknown("a seed")


def set_default_device(device):
    set_default_kind("cpu" if device is None else device)


def set_default_tensor_type(t):
    set_default_kind(unknown("the device of a type of tensors"))


def manual_seed(seed):
    return Generator()


def is_grad_enabled():
    return bool(unknown("whether gradients are kept"))


def get_default_dtype():
    return _dtypes.float32


def set_default_dtype(d):
    return None


def typename(obj, /):
    return some(str)


def can_cast(from_, to):
    for given in (from_, to):
        if is_tensor(given) or is_constant(given) and isinstance(given, (bool, int, float)):
            raise TypeError(f"can_cast takes data types, not {type(given).__name__}")
    return bool(unknown("whether one type is cast to another"))


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
