"""A list of traced values is filtered by a mask."""
import jax
import jax.numpy as jnp


@jax.jit
def positive(x):
    return x[x > 0]  # instead: return jnp.where(x > 0, x, 0.0)


print(positive(jnp.array([1.0, -1.0])))
