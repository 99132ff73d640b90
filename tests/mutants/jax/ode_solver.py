"""Lorenz paths by Runge-Kutta, many at once."""
import jax
import jax.numpy as jnp


def lorenz(s):
    x, y, z = s
    return jnp.stack([10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z])


def rk4(s, dt):
    k1 = lorenz(s)
    k2 = lorenz(s + 0.5 * dt * k1)
    k3 = lorenz(s + 0.5 * dt * k2)
    k4 = lorenz(s + dt * k3)
    return s + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)


def path(start, steps=40):
    def body(s, _):
        s = rk4(s, 0.01)
        return s, s
    return jax.lax.scan(body, start, None, length=steps)[1]


starts = jnp.ones((5, 3)) + 0.01 * jnp.arange(5.0)[:, None]
paths = jax.vmap(path)(starts)
spread = jnp.std(paths, axis=0)
print(paths.shape, spread[-1])
