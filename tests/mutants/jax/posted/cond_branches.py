"""Branches of cond return arrays of different shapes."""
import jax
import jax.numpy as jnp


def clip(x):
    return jax.lax.cond(x.sum() > 0, lambda v: v[:2], lambda v: v, x)  # instead: return jax.lax.cond(x.sum() > 0, lambda v: v * 2, lambda v: v, x)


print(clip(jnp.ones(3)))
