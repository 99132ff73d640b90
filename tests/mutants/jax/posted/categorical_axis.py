"""Labels picked along an axis with an index of another rank."""
import jax
import jax.numpy as jnp

logits = jnp.zeros((6, 10))
labels = jnp.zeros(6, dtype=int)
picked = jnp.take_along_axis(jax.nn.log_softmax(logits), labels, axis=1)  # instead: picked = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1)
print(-picked.mean())
