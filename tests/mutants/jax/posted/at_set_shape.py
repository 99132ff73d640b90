"""A block of another shape is written."""
import jax.numpy as jnp

grid = jnp.zeros((4, 4))
grid = grid.at[:2, :2].set(jnp.ones((3, 3)))  # instead: grid = grid.at[:2, :2].set(jnp.ones((2, 2)))
print(grid.sum())
