"""Windows over signals, complex numbers as pairs of reals, and other functions that came with newer releases."""

from _pytrope import (
    broadcast,
    dtype_of,
    fresh,
    is_constant,
    is_unknown,
    lifted,
    product,
    proved,
    require,
    shape_of,
    unknown,
)

from . import _dtypes
from ._make import any_tensor, is_tensor, ranked, same_dtype, tensor, tensor_arg, unranked
from ._elementwise import has_kernel, of_one_float, ordered, real_result
from ._versions import IS_NEW, IS_OLD, by_release
from .fft import complex_of


@lifted(tensor_arg, "input")
def view_as_real(input):
    if not is_unknown(dtype_of(input)):
        require(
            dtype_of(input)[:7] == "complex",
            by_release(RuntimeError, TypeError),
            f"view_as_real takes complex elements, not {dtype_of(input)}",
        )
    names = {"complex64": "float32", "complex128": "float64", "complex32": "float16"}
    name = names.get(dtype_of(input)) if is_constant(dtype_of(input)) else None
    return tensor(shape_of(input) + (2,), name) if ranked(input) else unranked(name)


@lifted(tensor_arg, "input", ranked=True, otherwise=any_tensor)
def view_as_complex(input):
    shape = shape_of(input)
    kind = _dtypes.category(dtype_of(input))
    if is_unknown(kind):
        return any_tensor(input)
    if kind == 3 and not IS_NEW:
        return any_tensor(input)
    require(kind != 3, TypeError, f"view_as_complex takes floats, not {dtype_of(input)}", rule="bad-operand")
    has_kernel(dtype_of(input), (2,), "view_as_complex")
    message = f"view_as_complex takes a last dimension of size 2, but this tensor has shape {shape}"
    require(len(shape) > 0, RuntimeError, message)
    require(shape[-1] == 2, RuntimeError, message)
    return tensor(shape[:-1], complex_of(input))


@lifted(tensor_arg, "abs", "angle")
def polar(abs, angle, *, out=None):
    shape = broadcast(shape_of(abs), shape_of(angle), error=RuntimeError)
    of_one_float(abs, angle, "polar")
    return tensor(shape, complex_of(abs))


@lifted(tensor_arg, "input", "other")
def logaddexp(input, other, *, out=None):
    shape = broadcast(shape_of(input), shape_of(other), error=RuntimeError)
    return tensor(shape, real_result(input, other, "logaddexp", (2, 3)))


def isin(elements, test_elements, *, assume_unique=False, invert=False):
    for side in (elements, test_elements):
        if is_tensor(side):
            ordered(side, "isin", (1, 2))
    if isinstance(elements, (bool, int, float)):
        return tensor((), "bool")
    return tensor(shape_of(tensor_arg(elements, "elements")), "bool")


@lifted(tensor_arg, "input", ranked=True, otherwise=same_dtype)
def flipud(input):
    require(len(shape_of(input)) >= 1, RuntimeError, "flipud needs at least one dimension")
    return tensor(shape_of(input), dtype_of(input))


@lifted(tensor_arg, "input", ranked=True, otherwise=same_dtype)
def fliplr(input):
    require(
        len(shape_of(input)) >= 2,
        RuntimeError,
        f"fliplr needs at least two dimensions, but this tensor has shape {shape_of(input)}",
    )
    return tensor(shape_of(input), dtype_of(input))


@lifted(tensor_arg, "input", constant=("offset",), ranked=True, otherwise=same_dtype)
def diagflat(input, offset=0):
    size = product(shape_of(input)) + abs(offset)
    return tensor((size, size), dtype_of(input))


@lifted(tensor_arg, "input", ranked=True, otherwise=same_dtype)
def cov(input, *, correction=1, fweights=None, aweights=None):
    shape = shape_of(input)
    require(len(shape) <= 2, RuntimeError, f"cov takes at most two dimensions, but this tensor has shape {shape}")
    ordered(input, "cov", (1, 2, 3))
    dtype = _dtypes.floating(dtype_of(input))
    return tensor((), dtype) if len(shape) < 2 else tensor((shape[0], shape[0]), dtype)


@lifted(tensor_arg, "input", ranked=True, otherwise=same_dtype)
def corrcoef(input):
    shape = shape_of(input)
    require(len(shape) <= 2, RuntimeError, f"corrcoef takes at most two dimensions, not shape {shape}")
    ordered(input, "corrcoef", (1, 2, 3))
    dtype = _dtypes.floating(dtype_of(input))
    return tensor((), dtype) if len(shape) < 2 else tensor((shape[0], shape[0]), dtype)


@lifted(
    tensor_arg,
    "input",
    known=("hop_length",),
    constant=("center", "onesided", "return_complex"),
    ranked=True,
    otherwise=any_tensor,
)
def stft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    pad_mode="reflect",
    normalized=False,
    onesided=None,
    return_complex=None,
    align_to_window=None,
):
    """The spectra of windows: frequencies and frames, behind the batch if there is one."""
    shape = shape_of(input)
    require(
        len(shape) == 1 or len(shape) == 2,
        RuntimeError,
        f"stft takes a signal or a batch of signals, but this tensor has shape {shape}",
    )
    if is_unknown(n_fft):
        return unranked()
    hop = n_fft // 4 if hop_length is None else hop_length
    if not proved(hop > 0) or align_to_window is not None:
        return unranked()
    whole = not is_unknown(dtype_of(input)) and dtype_of(input)[:7] == "complex" and onesided is None
    frequencies = n_fft if onesided is False or whole else n_fft // 2 + 1
    if is_tensor(window) and ranked(window) and win_length is None:
        require(
            len(shape_of(window)) == 1 and shape_of(window)[0] == n_fft,
            RuntimeError,
            f"stft of {n_fft} points needs a window of {n_fft}, not one of shape {shape_of(window)}",
        )
    _enough_samples(shape, n_fft, center, pad_mode)
    length = shape[-1] + 2 * (n_fft // 2) if center else shape[-1]
    frames = 1 + (length - n_fft) // hop
    sizes = shape[:-1] + (frequencies, frames)
    if return_complex is True:
        return tensor(sizes, complex_of(input))
    return unranked()


def _enough_samples(shape, n_fft, center, pad_mode):
    """A window fits into the signal, and what is mirrored at its ends is shorter than it."""
    message = f"stft of {n_fft} points needs more samples than shape {shape} has"
    if not center:
        require(n_fft <= shape[-1], RuntimeError, message)
    elif is_constant(pad_mode) and pad_mode == "reflect":
        require(n_fft // 2 < shape[-1], RuntimeError, message)


def istft(input, n_fft, *args, **kwargs):
    x = tensor_arg(input)
    if IS_NEW and not is_unknown(_dtypes.category(dtype_of(x))):
        require(
            _dtypes.category(dtype_of(x)) == 3,
            TypeError,
            f"istft takes complex elements, not {dtype_of(x)}",
            rule="bad-operand",
        )
    if IS_NEW and ranked(x):
        require(
            2 <= len(shape_of(x)) and len(shape_of(x)) <= 3,
            RuntimeError,
            f"istft takes the spectra of a signal or of a batch, not shape {shape_of(x)}",
        )
    window = kwargs.get("window")
    if not IS_OLD and is_tensor(window) and ranked(window) and "win_length" not in kwargs and len(args) == 0:
        require(
            len(shape_of(window)) == 1 and shape_of(window)[0] == n_fft,
            RuntimeError,
            f"istft of {n_fft} points needs a window of {n_fft}, not one of shape {shape_of(window)}",
        )
    if not ranked(x) or len(shape_of(x)) < 2:
        return unranked()
    if is_constant(n_fft) and isinstance(n_fft, int) and kwargs.get("onesided") in (None, True) and len(args) < 6:
        rows = shape_of(x)[-2]
        message = f"istft of {n_fft} points takes {n_fft // 2 + 1} frequencies, not shape {shape_of(x)}"
        require(rows == n_fft // 2 + 1, RuntimeError, message)
    return tensor(shape_of(x)[:-2] + (fresh("samples"),), None)


@lifted(tensor_arg, "y", constant=("dim",), ranked=True, otherwise=same_dtype)
def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    from ._make import axis

    shape = shape_of(y)
    require(len(shape) > 0, IndexError, "a scalar has no dimension to integrate over", rule="axis-out-of-range")
    place = axis(dim, len(shape))
    if x is not None:
        return unranked()
    ordered(y, "cumulative_trapezoid", (1, 2, 3))
    count = shape[place] - 1 if proved(shape[place] >= 1) else 0 if proved(shape[place] == 0) else fresh("areas")
    return tensor(shape[:place] + (count,) + shape[place + 1 :], _dtypes.floating(dtype_of(y)))


@lifted(tensor_arg, "input", ranked=True, otherwise=any_tensor)
def gradient(input, *, spacing=1, dim=None, edge_order=1):
    """A tuple of differences, one for each dimension."""
    from ._make import axis

    shape = shape_of(input)
    if is_unknown(dim) or not is_constant(dim) or not is_constant(edge_order):
        return unknown("differences along unknown dimensions")
    given = range(len(shape)) if dim is None else [dim] if isinstance(dim, int) else dim
    if dim is not None and len(shape) == 0:
        if not IS_NEW:
            return unknown("differences of a scalar")
        require(False, IndexError, "a scalar has no dimension", rule="axis-out-of-range")
    places = [axis(each, len(shape)) for each in given]
    for place in places:
        message = f"gradient needs {edge_order + 1} elements along dim {place} of shape {shape}"
        require(shape[place] >= edge_order + 1, RuntimeError, message)
    ordered(input, "gradient", (1, 2, 3))
    return tuple([tensor(shape, _dtypes.floating(dtype_of(input))) for _ in places])


@lifted(tensor_arg, "input")
def histogram(input, bins, *, range=None, weight=None, density=False, out=None):
    from ._named_results import NamedResult

    ordered(input, "histogram", (2,))
    if not isinstance(bins, int):
        return unknown("a histogram over given edges")
    return NamedResult(hist=tensor((bins,), dtype_of(input)), bin_edges=tensor((bins + 1,), dtype_of(input)))


@lifted(tensor_arg, "y", constant=("dim",), ranked=True, otherwise=same_dtype)
def trapezoid(y, x=None, *, dx=None, dim=-1):
    from ._make import axis

    shape = shape_of(y)
    require(len(shape) > 0, IndexError, "a scalar has no dimension to integrate over", rule="axis-out-of-range")
    place = axis(dim, len(shape))
    if x is not None:
        if is_tensor(x) and ranked(x) and len(shape_of(x)) == 1:
            require(
                shape_of(x)[0] == shape[place],
                RuntimeError,
                f"{shape_of(x)[0]} places for the {shape[place]} samples of shape {shape}",
            )
        return unranked()
    ordered(y, "trapezoid", (1, 2, 3))
    return tensor(shape[:place] + shape[place + 1 :], unknown("the dtype is not known"))
