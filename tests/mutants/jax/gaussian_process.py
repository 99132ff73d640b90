"""Regression with a kernel."""
import jax.numpy as jnp
from jax import vmap

xs = jnp.linspace(0.0, 1.0, 12)
ys = jnp.sin(6.0 * xs)
grid = jnp.linspace(0.0, 1.0, 40)


def kernel(a, b):
    return jnp.exp(-0.5 * (a - b) ** 2 / 0.01)


def gram(a, b):
    return vmap(lambda x: vmap(lambda y: kernel(x, y))(b))(a)


K = gram(xs, xs) + 1e-4 * jnp.eye(12)
Ks = gram(grid, xs)
alpha = jnp.linalg.solve(K, ys)
mean = Ks @ alpha
cov = gram(grid, grid) - Ks @ jnp.linalg.solve(K, Ks.T)
deviation = jnp.sqrt(jnp.diag(cov))
print(jnp.column_stack([grid, mean, deviation]).shape)
