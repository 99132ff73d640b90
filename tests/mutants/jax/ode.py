"""A pendulum by fori_loop, many at once."""
import jax
import jax.numpy as jnp


def derivative(state):
    angle, speed = state
    return jnp.array([speed, -jnp.sin(angle)])


def rk4(state, dt):
    k1 = derivative(state)
    k2 = derivative(state + dt / 2 * k1)
    k3 = derivative(state + dt / 2 * k2)
    k4 = derivative(state + dt * k3)
    return state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def simulate(start):
    return jax.lax.fori_loop(0, 10, lambda i, state: rk4(state, 0.1), start)


starts = jnp.stack([jnp.linspace(0.1, 1.0, 5), jnp.zeros(5)], axis=1)
ends = jax.vmap(simulate)(starts)
print(ends.shape, (ends - starts).shape)
