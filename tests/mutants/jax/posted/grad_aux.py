"""A loss with auxiliary output, and has_aux forgotten."""
import jax
import jax.numpy as jnp


def loss(w):
    prediction = w * 2.0
    return prediction.sum(), prediction


value, gradient = jax.value_and_grad(loss)(jnp.ones(3))  # instead: value, gradient = jax.value_and_grad(loss, has_aux=True)(jnp.ones(3))
print(gradient)
