"""jax.nn.dot_product_attention with heads that do not match."""
import jax
import jax.numpy as jnp

q = jnp.ones((1, 12, 6, 32))
k = jnp.ones((1, 12, 4, 32))  # instead: k = jnp.ones((1, 12, 6, 32))
v = jnp.ones((1, 12, 4, 32))  # instead: v = jnp.ones((1, 12, 6, 32))
print(jax.nn.dot_product_attention(q, k, v).shape)
