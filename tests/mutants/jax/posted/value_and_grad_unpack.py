import jax
import jax.numpy as jnp


def loss(p, x):
    pred = x @ p
    return jnp.mean(pred**2), pred


(value, aux), grads = jax.value_and_grad(loss)(jnp.ones(3), jnp.ones((4, 3)))  # instead: (value, aux), grads = jax.value_and_grad(loss, has_aux=True)(jnp.ones(3), jnp.ones((4, 3)))
print(value)
