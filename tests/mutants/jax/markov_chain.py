"""Sampling a chain with categorical draws."""
import jax
import jax.numpy as jnp

P = jnp.array([[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.3, 0.3, 0.4]])


def draw(state, key):
    new = jax.random.categorical(key, jnp.log(P[state]))
    return new, new


keys = jax.random.split(jax.random.PRNGKey(7), 100)
last, path = jax.lax.scan(draw, 0, keys)
visits = jnp.zeros(3).at[path].add(1.0)
stationary = jnp.linalg.matrix_power(P, 50)[0]
print(visits.sum(), jnp.abs(visits / 100 - stationary).max())
