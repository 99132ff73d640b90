"""A temperature fitted by gradient descent on logits."""
import jax
import jax.numpy as jnp

logits = jax.random.normal(jax.random.PRNGKey(0), (50, 4)) * 3
labels = jnp.argmax(logits + jax.random.normal(jax.random.PRNGKey(1), (50, 4)), axis=1)


@jax.jit
def nll(t):
    log_probs = jax.nn.log_softmax(logits / t, axis=1)
    return -log_probs[jnp.arange(50), labels].mean()


t = 1.0
for _ in range(5):
    t = t - 0.1 * jax.grad(nll)(t)
confidence = jax.nn.softmax(logits / t, axis=1).max(axis=1)
bins = jnp.digitize(confidence, jnp.linspace(0.0, 1.0, 6))
table = jnp.zeros((7, 2)).at[bins, 0].add(confidence).at[bins, 1].add(1.0)
print(t > 0, table.shape)
