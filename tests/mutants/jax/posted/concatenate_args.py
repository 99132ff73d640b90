import jax.numpy as jnp

a, b = jnp.ones((2, 3)), jnp.zeros((4, 3))
both = jnp.concatenate(a, b)  # instead: both = jnp.concatenate([a, b])
print(both.shape)
