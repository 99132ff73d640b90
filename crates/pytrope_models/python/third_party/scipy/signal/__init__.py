"""`scipy.signal`: convolutions, filters, spectra."""

from _pytrope import array, dtype_of, fresh, is_constant, is_unknown, proved, require, shape_of, unknown

from _shapes import check_axis, larger, replace_axis, smaller

from numpy import ndarray
from numpy.exceptions import AxisError

from .._arguments import float_array, is_count, ranked_arg, untyped
from .windows import get_window


def sliding_shape(a, b, mode, what):
    """What a convolution by a mode gives; with `valid`, one operand covers the other in every axis."""
    left, right = shape_of(a), shape_of(b)
    require(
        len(left) == len(right),
        ValueError,
        f"{what} of arrays of different ranks: shapes {left} and {right}",
        rule="shape-argument",
    )
    if mode == "full":
        return tuple([n + m - 1 for n, m in zip(left, right)])
    if mode == "same":
        return left
    sizes = []
    for n, m in zip(left, right):
        if not is_constant(n) or not is_constant(m):
            return unknown("a convolution of unknown sizes")
        sizes.append(larger(n, m) - smaller(n, m) + 1)
    is_covered = len([1 for n, m in zip(left, right) if n < m]) == 0
    covers = len([1 for n, m in zip(left, right) if n > m]) == 0
    require(
        is_covered or covers,
        ValueError,
        f"{what} with mode 'valid' of shapes {left} and {right}: neither fits into the other",
        rule="shape-argument",
    )
    return tuple(sizes)


def slide(a, b, mode, what):
    """A convolution or correlation of arrays with as many axes."""
    a, b = ranked_arg(a), ranked_arg(b)
    if is_unknown(a) or is_unknown(b) or not is_constant(mode) or mode not in ("full", "same", "valid"):
        return unknown("a convolution of unknown arrays")
    if len(shape_of(a)) == 0 or len(shape_of(b)) == 0:
        return unknown("a product with a number")
    for size in shape_of(a) + shape_of(b):
        if not proved(size > 0):
            return unknown("a convolution that may be empty")
    shape = sliding_shape(a, b, mode, what)
    return shape if is_unknown(shape) else float_array(shape, a, b)


def convolve(in1, in2, mode="full", method="auto"):
    return slide(in1, in2, mode, "convolve")


def correlate(in1, in2, mode="full", method="auto"):
    return slide(in1, in2, mode, "correlate")


def fftconvolve(in1, in2, mode="full", axes=None):
    return slide(in1, in2, mode, "fftconvolve") if axes is None else unknown("a convolution along some axes")


def oaconvolve(in1, in2, mode="full", axes=None):
    return slide(in1, in2, mode, "oaconvolve") if axes is None else unknown("a convolution along some axes")


def slide_images(in1, in2, mode, what):
    """The same for two images, and nothing else."""
    for one in (in1, in2):
        one = ranked_arg(one)
        if not is_unknown(one):
            require(
                len(shape_of(one)) == 2,
                ValueError,
                f"{what} takes two-dimensional arrays, not shape {shape_of(one)}",
                rule="shape-argument",
            )
    return slide(in1, in2, mode, what)


def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    return slide_images(in1, in2, mode, "convolve2d")


def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    return slide_images(in1, in2, mode, "correlate2d")


def keep_shape(x):
    """A result that has the shape of the signal."""
    x = ranked_arg(x)
    return x if is_unknown(x) else untyped(shape_of(x))


def along_axis(x, axis, error=AxisError):
    """The same, with an axis that the signal has."""
    x = ranked_arg(x)
    if is_unknown(x):
        return x
    check_axis(axis, len(shape_of(x)), error, shape_of(x))
    return untyped(shape_of(x))


def lfilter(b, a, x, axis=-1, zi=None):
    return along_axis(x, axis) if zi is None else unknown("a signal and a state")


def filtfilt(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    return keep_shape(x)


def sosfilt(sos, x, axis=-1, zi=None):
    return keep_shape(x) if zi is None else unknown("a signal and a state")


def sosfiltfilt(sos, x, axis=-1, padtype="odd", padlen=None):
    return keep_shape(x)


def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=False):
    return keep_shape(data)


def medfilt(volume, kernel_size=None):
    return keep_shape(volume)


def medfilt2d(input, kernel_size=3):
    return keep_shape(input)


def wiener(im, mysize=None, noise=None):
    return keep_shape(im)


def savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0):
    made = keep_shape(x)
    if is_unknown(made) or not is_count(window_length) or not is_constant(mode) or not is_constant(axis):
        return made
    if mode == "interp" and isinstance(axis, int) and -len(shape_of(made)) <= axis and axis < len(shape_of(made)):
        size = shape_of(made)[axis]
        if is_constant(size):
            require(
                window_length <= size,
                ValueError,
                f"savgol_filter: a window of {window_length} samples is longer than the signal, which has {size}",
                rule="shape-argument",
            )
    return made


def hilbert(x, N=None, axis=-1):
    x = ranked_arg(x)
    return unknown("an analytic signal") if is_unknown(x) or N is not None else untyped(shape_of(x))


def resampled(x, count, axis):
    """A signal with another number of samples along an axis."""
    if is_unknown(x) or is_unknown(count):
        return unknown("a resampled signal")
    shape = shape_of(x)
    if not is_constant(axis) or not isinstance(axis, int) or axis < -len(shape) or axis >= len(shape):
        return unknown("a resampled signal")
    return untyped(replace_axis(shape, axis if axis >= 0 else axis + len(shape), count))


def resample(x, num, t=None, axis=0, window=None, domain="time"):
    return resampled(ranked_arg(x), num, axis) if t is None and is_count(num) else unknown("a resampled signal")


def resample_poly(x, up, down, axis=0, window=None, padtype="constant", cval=None):
    x = ranked_arg(x)
    if is_unknown(x) or not is_count(up) or not is_count(down) or up < 1 or down < 1:
        return unknown("a resampled signal")
    shape = shape_of(x)
    if not is_constant(axis) or not isinstance(axis, int) or axis < -len(shape) or axis >= len(shape):
        return unknown("a resampled signal")
    return resampled(x, (shape[axis] * up + down - 1) // down, axis)


def decimate(x, q, n=None, ftype="iir", axis=-1, zero_phase=True):
    x = ranked_arg(x)
    if is_unknown(x) or not is_count(q) or q < 1:
        return unknown("a decimated signal")
    shape = shape_of(x)
    if not is_constant(axis) or not isinstance(axis, int) or axis < -len(shape) or axis >= len(shape):
        return unknown("a decimated signal")
    return resampled(x, (shape[axis] + q - 1) // q, axis)


def butter(N, Wn, btype="low", analog=False, output="ba", fs=None):
    """The coefficients of a filter: one more than its order, twice the order for a band."""
    if not is_count(N) or N < 1 or not is_constant(btype) or not is_constant(output) or not isinstance(btype, str):
        return unknown("the coefficients of a filter")
    is_band = btype.lower() in ("band", "bandpass", "pass", "bp", "bandstop", "bands", "bs", "stop")
    if not is_band and btype.lower() not in ("low", "lowpass", "lp", "l", "high", "highpass", "hp", "h"):
        return unknown("the coefficients of a filter")
    order = 2 * N if is_band else N
    if output == "ba":
        return array(ndarray, (order + 1,), "float64"), array(ndarray, (order + 1,), "float64")
    if output == "sos":
        return array(ndarray, ((order + 1) // 2, 6), "float64")
    return unknown("the coefficients of a filter")


def firwin(numtaps, cutoff, **options):
    return array(ndarray, (numtaps,), "float64") if is_count(numtaps) else unknown("the coefficients of a filter")


def find_peaks(x, height=None, **options):
    given = ranked_arg(x)
    if not is_unknown(given):
        require(
            len(shape_of(given)) == 1,
            ValueError,
            f"find_peaks takes a vector, not shape {shape_of(given)}",
            rule="shape-argument",
        )
    return array(ndarray, (fresh("peaks"),), "int64"), unknown("the properties of peaks")


def spectrum(x, nfft, axis):
    """Frequencies and density of a real signal; the last axis."""
    if is_unknown(x) or is_unknown(nfft) or axis != -1 or dtype_of(x) not in ("float64", "float32"):
        return unknown("a spectrum")
    shape = shape_of(x)
    if len(shape) == 0:
        return unknown("a spectrum")
    count = nfft // 2 + 1
    return array(ndarray, (count,), unknown("a dtype")), untyped(shape[:-1] + (count,))


def periodogram(
    x, fs=1.0, window="boxcar", nfft=None, detrend="constant", return_onesided=True, scaling="density", axis=-1
):
    x = ranked_arg(x)
    if is_unknown(x) or return_onesided is not True or nfft is not None or len(shape_of(x)) == 0:
        return unknown("a spectrum")
    return spectrum(x, shape_of(x)[-1], axis)


def welch(
    x,
    fs=1.0,
    window="hann",
    nperseg=None,
    noverlap=None,
    nfft=None,
    detrend="constant",
    return_onesided=True,
    scaling="density",
    axis=-1,
    average="mean",
):
    x = ranked_arg(x)
    if is_unknown(x) or return_onesided is not True or nfft is not None or len(shape_of(x)) == 0:
        return unknown("a spectrum")
    size = shape_of(x)[-1]
    wanted = 256 if nperseg is None else nperseg
    if not is_count(wanted) or not is_constant(size) or not isinstance(window, str) or noverlap is not None:
        return unknown("a spectrum")
    return spectrum(x, smaller(size, wanted), axis)


def chirp(t, f0, t1, f1, **options):
    return keep_shape(t)


def sawtooth(t, width=1):
    return keep_shape(t) if isinstance(width, (int, float)) else unknown("a wave")


def square(t, duty=0.5):
    return keep_shape(t) if isinstance(duty, (int, float)) else unknown("a wave")
