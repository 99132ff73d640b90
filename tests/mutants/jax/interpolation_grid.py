"""Values between the points of a grid."""
import jax
import jax.numpy as jnp

grid = jnp.arange(30.0).reshape(5, 6)
queries = jnp.array([[0.5, 1.2], [3.1, 4.9], [2.0, 0.0]])


def bilinear(grid, q):
    low = jnp.floor(q).astype(jnp.int32)
    frac = q - low
    i, j = low[0], low[1]
    corners = jax.lax.dynamic_slice(grid, (i, j), (2, 2))
    weights = jnp.outer(jnp.array([1 - frac[0], frac[0]]), jnp.array([1 - frac[1], frac[1]]))
    return jnp.sum(corners * weights)


values = jax.vmap(bilinear, in_axes=(None, 0))(grid, queries)
slopes = jax.vmap(jax.grad(bilinear, argnums=1), in_axes=(None, 0))(grid, queries)
table = jnp.column_stack([queries, values, slopes])
print(values, table.shape)
