"""tf.linalg, as far as products go."""

from _pytrope import unknown

from ._elementwise import norm
from ._products import einsum, matmul, matvec, tensordot
from ._shaping import eye


def __getattr__(name):
    return unknown(name)
