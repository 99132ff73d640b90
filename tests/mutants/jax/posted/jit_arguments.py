"""A compiled step is called without the learning rate."""
import jax
import jax.numpy as jnp


@jax.jit
def update(w, x, rate):
    return w - rate * jax.grad(lambda v: jnp.sum((x @ v) ** 2))(w)


w = jnp.ones(3)
for _ in range(3):
    w = update(w, jnp.ones((5, 3)))  # instead: w = update(w, jnp.ones((5, 3)), 0.1)
print(w)
