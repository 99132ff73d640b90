"""A hand-written MLP with a wrong inner size."""
import jax
import jax.numpy as jnp


def init(key, sizes):
    keys = jax.random.split(key, len(sizes))
    return [(jax.random.normal(k, (m, n)) * 0.1, jnp.zeros(n)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def forward(params, x):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


params = init(jax.random.PRNGKey(0), [784, 128, 10])
out = forward(params, jnp.ones((4, 28, 28)))  # instead: out = forward(params, jnp.ones((4, 28 * 28)))
print(out.shape)
