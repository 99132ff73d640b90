"""A list is summed."""
import jax.numpy as jnp

losses = [1.0, 2.0, 3.0]
print(jnp.mean(losses))  # instead: print(jnp.mean(jnp.array(losses)))
