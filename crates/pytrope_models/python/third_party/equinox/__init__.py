"""Equinox: modules are classes with fields; transformations pass arrays through. A name that is not here is Unknown."""

from _pytrope import havoc, set_attrs, unknown

from jax._transforms import grad, jit, value_and_grad, vmap

from . import nn


class Module:
    """A plain class; its fields are set in the constructor, or given by name if there is none."""

    def __init__(self, *args, **kwargs):
        if len(args) > 0:
            # Fields in the order of the class and its bases are not followed.
            havoc(self)
        set_attrs(self, **kwargs)

    def __getattr__(self, name):
        return unknown("a field that is not followed")


filter_jit = jit
filter_vmap = vmap


def filter_grad(fun=None, has_aux=False, **options):
    if fun is None:
        return filter_grad
    return grad(fun, 0, has_aux)


def filter_value_and_grad(fun=None, has_aux=False, **options):
    if fun is None:
        return filter_value_and_grad
    return value_and_grad(fun, 0, has_aux)
