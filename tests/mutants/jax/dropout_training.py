"""A step with dropout and keys that are split."""
import jax
import jax.numpy as jnp

W1 = jnp.ones((8, 12)) * 0.1
W2 = jnp.ones((12, 2)) * 0.1


def dropout(key, x, rate):
    keep = jax.random.bernoulli(key, 1.0 - rate, x.shape)
    return jnp.where(keep, x / (1.0 - rate), 0.0)


def forward(params, key, x):
    W1, W2 = params
    return dropout(key, jax.nn.relu(x @ W1), 0.5) @ W2


def loss(params, key, x, y):
    return jnp.mean(jnp.square(forward(params, key, x) - y))


key = jax.random.PRNGKey(0)
params = (W1, W2)
x, y = jnp.ones((6, 8)), jnp.zeros((6, 2))
for _ in range(2):
    key, sub = jax.random.split(key)
    grads = jax.grad(loss)(params, sub, x, y)
    params = tuple(p - 0.1 * g for p, g in zip(params, grads))
print(loss(params, key, x, y), params[0].shape)
