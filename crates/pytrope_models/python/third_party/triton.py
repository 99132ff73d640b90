"""`triton`: kernels are compiled by rules of their own; the rest is not modelled."""

from _pytrope import compiled, unknown


def _compiler(function=None, /, *arguments, **options):
    if function is None or not callable(function):
        return compiled
    return compiled(function)


jit = _compiler


def __getattr__(name):
    return unknown(name)
