import jax
import jax.numpy as jnp


def loss(w):
    return (w**2).sum()


g = jax.grad(loss)(jnp.arange(3))  # instead: g = jax.grad(loss)(jnp.arange(3.0))
print(g)
