"""A Newton step where the Hessian was taken of a function of two blocks."""
import jax
import jax.numpy as jnp


def f(x):
    return jnp.sum(x ** 4) + jnp.prod(x)


x = jnp.array([1.0, 2.0, 3.0])
h = jax.hessian(f)(x)
g = jax.grad(f)(x[:2])  # instead: g = jax.grad(f)(x)
print(x - jnp.linalg.solve(h, g))
