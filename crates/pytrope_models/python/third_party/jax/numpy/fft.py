"""jax.numpy.fft: the functions of numpy.fft; what they refuse is a ValueError."""

import numpy as np

from _pytrope import unknown

from jax._array import as_jax, first_array

from ._checks import matrix, transformed

fft, ifft, rfft, irfft = (
    as_jax(np.fft.fft, transformed),
    as_jax(np.fft.ifft, transformed),
    as_jax(np.fft.rfft, transformed),
    as_jax(np.fft.irfft, transformed),
)
fft2, ifft2, fftfreq, rfftfreq = (
    as_jax(np.fft.fft2, matrix),
    as_jax(np.fft.ifft2, matrix),
    as_jax(np.fft.fftfreq),
    as_jax(np.fft.rfftfreq),
)
fftshift, ifftshift = as_jax(np.fft.fftshift, first_array), as_jax(np.fft.ifftshift, first_array)


def __getattr__(name):
    return unknown(name)
