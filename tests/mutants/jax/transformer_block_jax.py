"""A block of a transformer as plain functions."""
import jax
import jax.numpy as jnp

T, D, H = 8, 16, 32


def layer_norm(x, scale, bias):
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return (x - mean) / jnp.sqrt(var + 1e-5) * scale + bias


def block(p, x):
    h = layer_norm(x, p["s1"], p["b1"])
    q, k, v = jnp.split(h @ p["qkv"], 3, axis=-1)
    scores = q @ k.T / jnp.sqrt(D)
    scores = jnp.where(jnp.tril(jnp.ones((T, T))) == 0, -1e9, scores)
    x = x + jax.nn.softmax(scores, axis=-1) @ v @ p["out"]
    h = layer_norm(x, p["s2"], p["b2"])
    return x + jax.nn.gelu(h @ p["up"]) @ p["down"]


k = jax.random.split(jax.random.PRNGKey(0), 4)
p = {
    "s1": jnp.ones(D), "b1": jnp.zeros(D), "s2": jnp.ones(D), "b2": jnp.zeros(D),
    "qkv": jax.random.normal(k[0], (D, 3 * D)), "out": jax.random.normal(k[1], (D, D)),
    "up": jax.random.normal(k[2], (D, H)), "down": jax.random.normal(k[3], (H, D)),
}
x = jnp.ones((T, D))
batch = jax.vmap(block, in_axes=(None, 0))(p, jnp.stack([x, x, x]))
print(block(p, x).shape, batch.shape)
