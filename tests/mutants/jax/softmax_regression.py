"""Multinomial regression with a jitted update."""
import jax
import jax.numpy as jnp

key = jax.random.PRNGKey(0)
X = jax.random.normal(key, (60, 5))
labels = jnp.arange(60) % 3
Y = jax.nn.one_hot(labels, 3)


def loss(W, b):
    logits = X @ W + b
    return -jnp.mean(jnp.sum(Y * jax.nn.log_softmax(logits, axis=-1), axis=-1))


@jax.jit
def step(W, b):
    gW, gb = jax.grad(loss, argnums=(0, 1))(W, b)
    return W - 0.1 * gW, b - 0.1 * gb


W, b = jnp.zeros((5, 3)), jnp.zeros(3)
for _ in range(3):
    W, b = step(W, b)
print(loss(W, b), W.shape)
