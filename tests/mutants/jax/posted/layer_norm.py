"""Layer normalisation whose scale has the wrong axis."""
import jax.numpy as jnp


def layer_norm(x, scale, bias):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1)  # instead: var = x.var(axis=-1, keepdims=True)
    return (x - mean) / jnp.sqrt(var + 1e-5) * scale + bias


print(layer_norm(jnp.ones((4, 8)), jnp.ones(8), jnp.zeros(8)).shape)
