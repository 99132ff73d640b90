"""JAX, as far as shapes go. A name that is not here is Unknown."""

from _pytrope import unknown

from ._array import Array
from . import errors
from ._transforms import (
    config,
    disable_jit,
    ensure_compile_time_eval,
    grad,
    hessian,
    jacobian,
    jit,
    unchanged,
    value_and_grad,
    vmap,
)

checkpoint = remat = named_call = unchanged
jacfwd = jacrev = jacobian
pmap = jvp = vjp = eval_shape = unknown("a transformation that is not modelled")


def block_until_ready(x):
    return x


def device_put(x, device=None, **options):
    if isinstance(x, (bool, int, float, complex)):
        return unknown("an array made of a number")
    return x


def device_get(x):
    return unknown("arrays of NumPy")
