"""A dynamic slice with the wrong number of starts."""
import jax
import jax.numpy as jnp

x = jnp.arange(24.0).reshape(4, 6)
window = jax.lax.dynamic_slice(x, (1,), (2, 3))  # instead: window = jax.lax.dynamic_slice(x, (1, 0), (2, 3))
print(window.shape)
