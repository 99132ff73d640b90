"""The gradient with respect to integers."""
import jax
import jax.numpy as jnp

weights = jnp.arange(4)  # instead: weights = jnp.arange(4.0)
print(jax.grad(lambda w: (w * 2.0).sum())(weights))
