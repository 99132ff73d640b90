"""An update that is larger than its operand."""
import jax
import jax.numpy as jnp

cache = jnp.zeros((2, 8, 4))
cache = jax.lax.dynamic_update_slice(cache, jnp.ones((2, 9, 4)), (0, 0, 0))  # instead: cache = jax.lax.dynamic_update_slice(cache, jnp.ones((2, 1, 4)), (0, 3, 0))
print(cache.shape)
