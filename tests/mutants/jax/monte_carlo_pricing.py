"""Paths of prices and an option on them."""
import jax
import jax.numpy as jnp

paths, steps = 200, 12
dt = 1.0 / steps
z = jax.random.normal(jax.random.PRNGKey(0), (paths, steps))


def payoff(strike, vol):
    increments = (0.01 - 0.5 * vol ** 2) * dt + vol * jnp.sqrt(dt) * z
    log_prices = jnp.cumsum(increments, axis=1)
    prices = 100.0 * jnp.exp(log_prices)
    average = prices.mean(axis=1)
    return jnp.maximum(average - strike, 0.0).mean()


strikes = jnp.array([90.0, 100.0, 110.0])
prices = jax.vmap(payoff, in_axes=(0, None))(strikes, 0.2)
deltas = jax.vmap(jax.grad(payoff), in_axes=(0, None))(strikes, 0.2)
surface = jax.vmap(lambda k: jax.vmap(lambda v: payoff(k, v))(jnp.array([0.1, 0.2])))(strikes)
print(prices.shape, deltas.shape, surface.shape)
