"""A fori body without the index."""
import jax
import jax.numpy as jnp

power = jax.lax.fori_loop(0, 5, lambda v: v / jnp.linalg.norm(v), jnp.ones(3))  # instead: power = jax.lax.fori_loop(0, 5, lambda i, v: v / jnp.linalg.norm(v), jnp.ones(3))
print(power)
