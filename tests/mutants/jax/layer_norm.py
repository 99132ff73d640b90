"""Normalisation and a gated unit."""
import jax
import jax.numpy as jnp


def layer_norm(x, gain, bias, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gain * (x - mean) / jnp.sqrt(var + eps) + bias


def gated(x, w, v, out):
    return (jax.nn.silu(x @ w) * (x @ v)) @ out


x = jnp.ones((2, 5, 16))
x = layer_norm(x, jnp.ones(16), jnp.zeros(16))
y = gated(x, jnp.ones((16, 32)), jnp.ones((16, 32)), jnp.ones((32, 16)))
z = x + y
pooled = z.mean(axis=1)
logits = pooled @ jnp.ones((16, 3))
print(jnp.squeeze(logits[:, :1], axis=1).shape, jnp.expand_dims(logits, 0).shape)
