"""A network of named tuples."""
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Layer(NamedTuple):
    w: jnp.ndarray
    b: jnp.ndarray


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [Layer(jax.random.normal(k, (m, n)) / jnp.sqrt(m), jnp.zeros(n)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


def apply(layers, x):
    for layer in layers[:-1]:
        x = jax.nn.relu(x @ layer.w + layer.b)
    return x @ layers[-1].w + layers[-1].b


def mse(layers, x, y):
    return jnp.mean((apply(layers, x) - y) ** 2)


layers = init(jax.random.PRNGKey(0), [4, 16, 8, 1])
x = jnp.ones((32, 4))
y = jnp.zeros((32, 1))
value, grads = jax.value_and_grad(mse)(layers, x, y)
layers = jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, layers, grads)
print(value, layers[0].w.shape)
