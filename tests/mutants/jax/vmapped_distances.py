"""Pairwise distances by nested vmap."""
import jax
import jax.numpy as jnp


def distance(a, b):
    return jnp.sqrt(jnp.sum((a - b) ** 2))


points = jax.random.uniform(jax.random.PRNGKey(1), (9, 3))
centres = jax.random.uniform(jax.random.PRNGKey(2), (4, 3))
pairwise = jax.vmap(jax.vmap(distance, in_axes=(None, 0)), in_axes=(0, None))
table = pairwise(points, centres)
nearest = jnp.argmin(table, axis=1)
counts = jnp.bincount(nearest, length=4)
means = jax.ops.segment_sum(points, nearest, num_segments=4) / jnp.maximum(counts, 1)[:, None]
print(table.shape, means.shape)
