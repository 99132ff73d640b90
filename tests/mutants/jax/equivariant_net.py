"""A set function that sums over its members."""
import jax
import jax.numpy as jnp

k1, k2, k3 = jax.random.split(jax.random.PRNGKey(0), 3)
phi = jax.random.normal(k1, (3, 16))
rho = jax.random.normal(k2, (16, 4))


def deep_set(points):
    h = jax.nn.relu(points @ phi)
    pooled = jnp.concatenate([h.mean(axis=0), h.max(axis=0)])
    return pooled.reshape(2, 16).sum(axis=0) @ rho


clouds = jax.random.normal(k3, (6, 20, 3))
out = jax.vmap(deep_set)(clouds)
shuffled = jax.vmap(deep_set)(clouds[:, ::-1])
similarity = out @ shuffled.T
print(out.shape, jnp.abs(out - shuffled).max() < 1e-3, jnp.diag(similarity).shape)
