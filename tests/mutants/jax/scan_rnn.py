"""A recurrent network by lax.scan."""
import jax
import jax.numpy as jnp
from jax import lax

hidden, features = 8, 5
key = jax.random.PRNGKey(0)
Wx = jax.random.normal(key, (hidden, features))
Wh = jax.random.normal(key, (hidden, hidden))
b = jnp.zeros(hidden)


def step(h, x):
    h = jnp.tanh(Wx @ x + Wh @ h + b)
    return h, h


xs = jax.random.normal(key, (20, features))
last, states = lax.scan(step, jnp.zeros(hidden), xs)
out = states @ jax.random.normal(key, (hidden, 3))
print(last.shape, out.shape)
