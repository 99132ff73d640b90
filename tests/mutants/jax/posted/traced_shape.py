"""A traced value is used as a shape."""
import jax
import jax.numpy as jnp
from functools import partial


@jax.jit  # instead: @partial(jax.jit, static_argnums=0)
def ramp(n):
    return jnp.arange(n) / n


print(ramp(5))
