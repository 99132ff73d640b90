"""A scalar is concatenated."""
import jax.numpy as jnp

values = jnp.arange(3.0)
print(jnp.concatenate([values, values.sum()]))  # instead: print(jnp.concatenate([values, values.sum()[None]]))
