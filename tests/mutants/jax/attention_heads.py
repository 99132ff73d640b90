"""Multi-head attention with einsum."""
import jax
import jax.numpy as jnp

batch, length, dim, heads = 2, 6, 16, 4
depth = dim // heads
kq, kk, kv, ko, kx = jax.random.split(jax.random.PRNGKey(3), 5)
wq = jax.random.normal(kq, (dim, heads, depth))
wk = jax.random.normal(kk, (dim, heads, depth))
wv = jax.random.normal(kv, (dim, heads, depth))
wo = jax.random.normal(ko, (heads, depth, dim))


def attend(x, mask):
    q = jnp.einsum("btd,dhk->bthk", x, wq)
    k = jnp.einsum("btd,dhk->bthk", x, wk)
    v = jnp.einsum("btd,dhk->bthk", x, wv)
    scores = jnp.einsum("bqhk,bthk->bhqt", q, k) / jnp.sqrt(depth)
    scores = jnp.where(mask, scores, -1e9)
    weights = jax.nn.softmax(scores, axis=-1)
    out = jnp.einsum("bhqt,bthk->bqhk", weights, v)
    return jnp.einsum("bqhk,hkd->bqd", out, wo)


x = jax.random.normal(kx, (batch, length, dim))
mask = jnp.tril(jnp.ones((length, length), dtype=bool))
print(jax.jit(attend)(x, mask).shape)
