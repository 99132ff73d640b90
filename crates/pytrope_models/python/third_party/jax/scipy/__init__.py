"""jax.scipy: what programs use of it. A name that is not here is Unknown."""

from _pytrope import unknown


def __getattr__(name):
    return unknown(name)
