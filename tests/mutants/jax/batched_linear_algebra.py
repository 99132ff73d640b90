"""Many small systems at once."""
import jax
import jax.numpy as jnp

key = jax.random.PRNGKey(0)
A = jax.random.normal(key, (10, 4, 4)) + 4 * jnp.eye(4)
b = jax.random.normal(key, (10, 4))
x = jax.vmap(jnp.linalg.solve)(A, b)
residual = jnp.einsum("nij,nj->ni", A, x) - b
q, r = jnp.linalg.qr(A)
u, s, vt = jnp.linalg.svd(A, full_matrices=False)
rebuilt = u * s[:, None, :] @ vt
det = jnp.linalg.det(A)
inverse = jnp.linalg.inv(A)
print(jnp.abs(residual).max(), (rebuilt - A).shape, det.shape, (inverse @ b[..., None])[..., 0].shape)
