"""jax.numpy.linalg: the functions of numpy.linalg; what they refuse is a ValueError."""

import numpy as np

from _pytrope import is_array, is_unknown, unknown

from jax._array import as_jax

from ._checks import matrix, normed, powered, solvable, square, surely_square, unjudged


def parts_of(function):
    """A function whose result NumPy gives a class of its own: its parts as a tuple."""

    def call(*args, **kwargs):
        result = function(*args, **kwargs)
        return result if is_array(result) or is_unknown(result) else tuple(result)

    return call


inv, det, solve = as_jax(np.linalg.inv, square), as_jax(np.linalg.det, square), as_jax(np.linalg.solve, solvable)
eig, eigh, eigvals, eigvalsh = (
    as_jax(parts_of(np.linalg.eig), square),
    as_jax(parts_of(np.linalg.eigh), surely_square),
    as_jax(np.linalg.eigvals, square),
    as_jax(np.linalg.eigvalsh, surely_square),
)
cholesky, qr, svd = (
    as_jax(np.linalg.cholesky, surely_square),
    as_jax(parts_of(np.linalg.qr), matrix),
    as_jax(parts_of(np.linalg.svd), matrix),
)
norm, matrix_power, matrix_rank = (
    as_jax(np.linalg.norm, normed),
    as_jax(np.linalg.matrix_power, powered),
    as_jax(np.linalg.matrix_rank, matrix),
)
pinv, lstsq, slogdet = (
    as_jax(np.linalg.pinv, matrix),
    as_jax(np.linalg.lstsq, unjudged),
    as_jax(parts_of(np.linalg.slogdet), square),
)


def __getattr__(name):
    return unknown(name)
