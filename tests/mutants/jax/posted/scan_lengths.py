"""Inputs of a scan with different leading axes."""
import jax
import jax.numpy as jnp


def cell(h, inputs):
    x, reset = inputs
    h = jnp.where(reset, 0.0, h) + x
    return h, h


xs = jnp.ones((10, 4))
resets = jnp.zeros((9, 1), dtype=bool)  # instead: resets = jnp.zeros((10, 1), dtype=bool)
final, ys = jax.lax.scan(cell, jnp.zeros(4), (xs, resets))
print(ys.shape)
