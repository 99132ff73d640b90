"""Principal components."""
import jax
import jax.numpy as jnp

data = jax.random.normal(jax.random.PRNGKey(3), (60, 7))
centred = data - data.mean(axis=0)
cov = centred.T @ centred / (60 - 1)
values, vectors = jnp.linalg.eigh(cov)
order = jnp.argsort(values)[::-1]
components = vectors[:, order[:2]]
projected = centred @ components
restored = projected @ components.T + data.mean(axis=0)
error = jnp.linalg.norm(data - restored, axis=1)
u, s, vt = jnp.linalg.svd(centred, full_matrices=False)
print(projected.shape, error.shape, (u * s).shape, (u * s @ vt).shape)
