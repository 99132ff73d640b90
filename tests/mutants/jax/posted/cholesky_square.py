"""A covariance of the transposed samples."""
import jax.numpy as jnp

samples = jnp.ones((20, 3))
cov = samples.T @ samples / 20 + jnp.eye(20)  # instead: cov = samples.T @ samples / 20 + jnp.eye(3)
print(jnp.linalg.cholesky(cov).shape)
