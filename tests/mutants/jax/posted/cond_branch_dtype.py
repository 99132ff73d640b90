import jax
import jax.numpy as jnp


def pick(flag, x):
    return jax.lax.cond(flag, lambda v: v * 2, lambda v: v.sum(), x)  # instead: return jax.lax.cond(flag, lambda v: v * 2, lambda v: v + 1, x)


print(pick(True, jnp.ones(3)))
