"""Proximal steps with soft thresholds."""
import jax
import jax.numpy as jnp

n, d = 40, 10
k1, k2 = jax.random.split(jax.random.PRNGKey(0))
X = jax.random.normal(k1, (n, d))
truth = jnp.zeros(d).at[:3].set(jnp.array([2.0, -1.0, 0.5]))
y = (X @ truth > 0).astype(jnp.float32)


def nll(w):
    z = X @ w
    return jnp.mean(jnp.logaddexp(0.0, z) - y * z)


def prox(w, t):
    return jnp.sign(w) * jnp.maximum(jnp.abs(w) - t, 0.0)


w = jnp.zeros(d)
for _ in range(5):
    w = prox(w - 0.5 * jax.grad(nll)(w), 0.01)
path = jnp.stack([prox(w, t) for t in (0.0, 0.1, 0.2)])
print(jnp.count_nonzero(w), path.shape)
