"""A linear system whose sides differ."""
import jax.numpy as jnp
from jax.scipy.linalg import cho_factor, cho_solve

a = jnp.eye(4) * 3
b = jnp.ones((3,))  # instead: b = jnp.ones((4,))
print(cho_solve(cho_factor(a), b), jnp.linalg.solve(a, b))
