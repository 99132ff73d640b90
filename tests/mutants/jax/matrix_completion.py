"""Alternating factors of a matrix with missing entries."""
import jax
import jax.numpy as jnp

users, items, rank = 12, 15, 3
k1, k2, k3 = jax.random.split(jax.random.PRNGKey(0), 3)
ratings = jax.random.uniform(k1, (users, items))
seen = jax.random.bernoulli(k2, 0.6, (users, items))
U = jax.random.normal(k3, (users, rank))
V = jnp.ones((items, rank))


def objective(factors):
    U, V = factors
    error = jnp.where(seen, U @ V.T - ratings, 0.0)
    return jnp.sum(error ** 2) + 0.1 * (jnp.sum(U ** 2) + jnp.sum(V ** 2))


grad = jax.jit(jax.grad(objective))
for _ in range(3):
    gU, gV = grad((U, V))
    U, V = U - 0.01 * gU, V - 0.01 * gV
top = jnp.argsort(U @ V.T, axis=1)[:, -3:]
print(objective((U, V)), top.shape)
