"""torch.signal.windows: one window for each name, of a length that is not negative."""

from _pytrope import is_constant, is_unknown, require

from .. import _dtypes
from .._make import tensor


def window(length, dtype):
    """A window as a vector."""
    if is_constant(length) and isinstance(length, (float, str)):
        raise TypeError(f"a window takes an integer for its length, not {type(length).__name__}")
    if not is_unknown(length):
        require(length >= 0, ValueError, f"a window needs a length that is not negative, not {length}")
    return tensor((length,), _dtypes.name(dtype, "float32"))


def bartlett(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return window(M, dtype)


def blackman(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return window(M, dtype)


def cosine(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return window(M, dtype)


def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return window(M, dtype)


def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return window(M, dtype)


def general_cosine(M, *, a, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return window(M, dtype)


def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return window(M, dtype)


def hamming(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return window(M, dtype)


def hann(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return window(M, dtype)


def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return window(M, dtype)


def nuttall(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    return window(M, dtype)
