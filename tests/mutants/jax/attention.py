"""Scaled dot-product attention."""
import jax
import jax.numpy as jnp

batch, length, heads, size = 2, 6, 4, 8
key = jax.random.key(0)
kq, kk, kv = jax.random.split(key, 3)
x = jax.random.normal(kq, (batch, length, heads * size))
wq = jax.random.normal(kk, (heads * size, heads * size))
wk = jax.random.normal(kk, (heads * size, heads * size))
wv = jax.random.normal(kv, (heads * size, heads * size))


def split_heads(t):
    return t.reshape(batch, length, heads, size).transpose(0, 2, 1, 3)


q = split_heads(x @ wq)
k = split_heads(x @ wk)
v = split_heads(x @ wv)
scores = q @ jnp.swapaxes(k, -1, -2) / jnp.sqrt(size)
mask = jnp.tril(jnp.ones((length, length)))
scores = jnp.where(mask == 0, -1e9, scores)
weights = jax.nn.softmax(scores, axis=-1)
out = jnp.einsum("bhqk,bhkd->bhqd", weights, v)
merged = out.transpose(0, 2, 1, 3).reshape(batch, length, heads * size)
print(merged.shape)
