"""`scipy.signal.windows`: vectors of a given length."""

from _pytrope import array, unknown

from numpy import ndarray

from .._arguments import is_count


def get_window(window, Nx, fftbins=True, **options):
    return window_of(Nx)


def window_of(M):
    return array(ndarray, (M,), "float64") if is_count(M) else unknown("a window of unknown length")


def hann(M, sym=True, **options):
    return window_of(M)


hamming = blackman = boxcar = bartlett = cosine = nuttall = triang = blackmanharris = flattop = parzen = bohman = hann


def gaussian(M, std, sym=True, **options):
    return window_of(M)


def kaiser(M, beta, sym=True, **options):
    return window_of(M)


def tukey(M, alpha=0.5, sym=True, **options):
    return window_of(M)
