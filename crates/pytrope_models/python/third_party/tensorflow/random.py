"""tf.random: tensors of random numbers."""

from _pytrope import unknown

from ._dtypes import float32, written
from ._shaping import filled, identity


def normal(shape, mean=0.0, stddev=1.0, dtype=float32, seed=None, name=None):
    return filled(shape, written(dtype))


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=float32, seed=None, name=None):
    return filled(shape, written(dtype))


def uniform(shape, minval=0, maxval=None, dtype=float32, seed=None, name=None):
    return filled(shape, written(dtype))


def shuffle(value, seed=None, name=None):
    return identity(value)


def set_seed(seed):
    return None


def __getattr__(name):
    return unknown(name)
