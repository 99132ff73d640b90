"""A linear classifier with the hinge loss."""
import jax
import jax.numpy as jnp

k1, k2 = jax.random.split(jax.random.PRNGKey(0))
X = jnp.concatenate([jax.random.normal(k1, (25, 4)) + 1.0, jax.random.normal(k2, (25, 4)) - 1.0], axis=0)
y = jnp.concatenate([jnp.ones(25), -jnp.ones(25)])


def hinge(w, x, t):
    return jnp.maximum(0.0, 1.0 - t * jnp.dot(w[:4], x) - t * w[4])


def objective(w):
    return jnp.mean(jax.vmap(hinge, in_axes=(None, 0, 0))(w, X, y)) + 0.01 * jnp.sum(w[:4] ** 2)


w = jnp.zeros(5)
for _ in range(4):
    w = w - 0.2 * jax.grad(objective)(w)
margin = X @ w[:4] + w[4]
print(jnp.mean(jnp.sign(margin) == y), margin.shape)
