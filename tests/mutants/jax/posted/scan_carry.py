"""A scan whose carry changes its shape."""
import jax
import jax.numpy as jnp


def step(carry, x):
    carry = jnp.concatenate([carry, x[None]])  # instead: carry = carry + x
    return carry, carry.sum()


final, sums = jax.lax.scan(step, jnp.zeros(1), jnp.arange(5.0))
print(final, sums)
