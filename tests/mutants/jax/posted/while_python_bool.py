import jax
import jax.numpy as jnp


@jax.jit
def clip(x, limit):
    if x.sum() > limit:  # instead: if x.shape[0] > 3:
        return x / 2
    return x


print(clip(jnp.ones(4), 2.0))
