"""Masks, sorting and gathering."""
import jax.numpy as jnp

scores = jnp.array([[0.2, 0.9, 0.4], [0.8, 0.1, 0.3], [0.5, 0.6, 0.7], [0.3, 0.2, 0.1]])
order = jnp.argsort(-scores, axis=1)
ranked = jnp.take_along_axis(scores, order, axis=1)
best = ranked[:, 0]
mask = best > 0.5
kept = jnp.where(mask[:, None], scores, 0.0)
cum = jnp.cumsum(ranked, axis=1)
grid = jnp.stack(jnp.meshgrid(jnp.arange(4), jnp.arange(3), indexing="ij"), axis=-1)
flat = grid.reshape(-1, 2)
values = scores[flat[:, 0], flat[:, 1]].reshape(4, 3)
print(kept.sum(), cum.shape, jnp.allclose(values, scores))
