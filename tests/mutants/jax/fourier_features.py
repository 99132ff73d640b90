"""Random features, least squares and a spectrum."""
import jax
import jax.numpy as jnp

n, d, m = 50, 2, 30
k1, k2, k3 = jax.random.split(jax.random.PRNGKey(0), 3)
X = jax.random.uniform(k1, (n, d))
omega = jax.random.normal(k2, (d, m))
phase = jax.random.uniform(k3, (m,), maxval=2 * jnp.pi)
features = jnp.sqrt(2.0 / m) * jnp.cos(X @ omega + phase)
y = jnp.sin(X[:, 0] * 3) + X[:, 1]
gram = features.T @ features + 1e-3 * jnp.eye(m)
weights = jnp.linalg.solve(gram, features.T @ y)
prediction = features @ weights
spectrum = jnp.abs(jnp.fft.rfft(prediction))
print(jnp.mean((prediction - y) ** 2), spectrum.shape)
