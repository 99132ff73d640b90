"""A scan body that returns one value."""
import jax
import jax.numpy as jnp


def body(carry, x):
    return carry + x  # instead: return carry + x, carry


print(jax.lax.scan(body, 0.0, jnp.arange(4.0)))
