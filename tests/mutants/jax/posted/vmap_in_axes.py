"""in_axes for an axis that an argument lacks."""
import jax
import jax.numpy as jnp

f = jax.vmap(lambda w, x: w @ x, in_axes=(None, 2))  # instead: f = jax.vmap(lambda w, x: w @ x, in_axes=(None, 1))
print(f(jnp.ones((3, 4)), jnp.ones((4, 6))).shape)
