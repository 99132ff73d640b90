"""Segment ids of another length."""
import jax
import jax.numpy as jnp

values = jnp.arange(5.0)
ids = jnp.array([0, 0, 1, 1])  # instead: ids = jnp.array([0, 0, 1, 1, 1])
print(jax.ops.segment_sum(values, ids, num_segments=2))
