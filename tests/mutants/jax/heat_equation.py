"""A diffusion step with slices and a fori_loop."""
import jax
import jax.numpy as jnp

n = 32
u = jnp.zeros((n, n)).at[n // 2, n // 2].set(100.0)


def step(i, u):
    interior = u[1:-1, 1:-1]
    laplace = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * interior
    return u.at[1:-1, 1:-1].set(interior + 0.1 * laplace)


u = jax.lax.fori_loop(0, 20, step, u)
rows = u.sum(axis=1)
profile = jnp.stack([rows, u.sum(axis=0)])
print(profile.shape, float(u.max()))
