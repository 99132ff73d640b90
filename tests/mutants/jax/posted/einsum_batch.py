"""Attention scores with sizes that differ for one letter."""
import jax.numpy as jnp

q = jnp.ones((2, 8, 4, 16))
k = jnp.ones((2, 10, 8, 16))  # instead: k = jnp.ones((2, 10, 4, 16))
print(jnp.einsum("bqhd,bkhd->bhqk", q, k).shape)
