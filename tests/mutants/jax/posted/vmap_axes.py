"""vmap over two axes of different size."""
import jax
import jax.numpy as jnp

dots = jax.vmap(jnp.dot, in_axes=(0, 0))
a = jnp.ones((5, 3))
b = jnp.ones((4, 3))  # instead: b = jnp.ones((5, 3))
print(dots(a, b))
