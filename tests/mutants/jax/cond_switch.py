"""Branches under jit."""
import jax
import jax.numpy as jnp
from jax import lax


def relu_or_square(flag, x):
    return lax.cond(flag, lambda v: jnp.maximum(v, 0.0), lambda v: v ** 2, x)


x = jnp.linspace(-1.0, 1.0, 6)
y = jax.jit(relu_or_square)(True, x)
matrix = jnp.outer(y, x)
trace = jnp.trace(matrix)
upper = jnp.triu(matrix)
vector = upper @ x
clipped = jnp.clip(vector, -0.5, 0.5)
reshaped = clipped.reshape(2, 3)
print(trace, reshaped.T.shape, lax.dynamic_slice(x, (1,), (3,)).shape)
