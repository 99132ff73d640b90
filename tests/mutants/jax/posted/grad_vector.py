"""The gradient of a function that returns a vector."""
import jax
import jax.numpy as jnp


def loss(w, x):
    return (x @ w) ** 2  # instead: return ((x @ w) ** 2).sum()


print(jax.grad(loss)(jnp.ones(3), jnp.ones((5, 3))))
