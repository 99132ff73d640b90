"""A gradient with respect to an argument that does not exist."""
import jax
import jax.numpy as jnp


def energy(w, x):
    return jnp.sum(w * x)


dw, dx = jax.grad(energy, argnums=(1, 2))(jnp.ones(3), jnp.ones(3))  # instead: dw, dx = jax.grad(energy, argnums=(0, 1))(jnp.ones(3), jnp.ones(3))
print(dw, dx)
