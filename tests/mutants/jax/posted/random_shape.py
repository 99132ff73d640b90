"""A random matrix is made with a shape that does not fit the product."""
import jax
import jax.numpy as jnp

key = jax.random.PRNGKey(42)
k1, k2 = jax.random.split(key)
x = jax.random.normal(k1, (6, 5))
w = jax.random.uniform(k2, (6, 2))  # instead: w = jax.random.uniform(k2, (5, 2))
print((x @ w).shape)
