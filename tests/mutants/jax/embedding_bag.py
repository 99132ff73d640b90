"""Word vectors averaged under a mask."""
import jax
import jax.numpy as jnp

vocab, dim, classes = 50, 12, 3
k1, k2, k3 = jax.random.split(jax.random.PRNGKey(0), 3)
table = jax.random.normal(k1, (vocab, dim))
W = jax.random.normal(k2, (dim, classes))
tokens = jax.random.randint(k3, (5, 9), 0, vocab)
lengths = jnp.array([9, 4, 6, 2, 7])
mask = jnp.arange(9)[None, :] < lengths[:, None]
vectors = table[tokens]
summed = jnp.sum(vectors * mask[..., None], axis=1)
mean = summed / lengths[:, None]
logits = mean @ W
best = jnp.argmax(logits, axis=-1)
loss = -jnp.take_along_axis(jax.nn.log_softmax(logits), best[:, None], axis=1).mean()
print(logits.shape, loss)
