"""Momentum kept in a tree."""
import jax
import jax.numpy as jnp

params = {"dense": {"kernel": jnp.ones((6, 4)), "bias": jnp.zeros(4)}, "scale": jnp.ones(())}
momentum = jax.tree_util.tree_map(jnp.zeros_like, params)


def predict(params, x):
    return params["scale"] * (x @ params["dense"]["kernel"] + params["dense"]["bias"])


def loss(params, x, y):
    return jnp.sum((predict(params, x) - y) ** 2)


x, y = jnp.ones((10, 6)), jnp.zeros((10, 4))
for _ in range(2):
    grads = jax.grad(loss)(params, x, y)
    momentum = jax.tree_util.tree_map(lambda m, g: 0.9 * m + g, momentum, grads)
    params = jax.tree_util.tree_map(lambda p, m: p - 1e-3 * m, params, momentum)
leaves = jax.tree_util.tree_leaves(params)
print(len(leaves), predict(params, x).shape)
