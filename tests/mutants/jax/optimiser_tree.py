"""Parameters in a dictionary, updated by tree_map."""
import jax
import jax.numpy as jnp

params = {"w1": jnp.ones((4, 8)), "b1": jnp.zeros(8), "w2": jnp.ones((8, 2)), "b2": jnp.zeros(2)}


def forward(params, x):
    h = jax.nn.relu(x @ params["w1"] + params["b1"])
    return h @ params["w2"] + params["b2"]


def loss(params, x, y):
    return jnp.mean((forward(params, x) - y) ** 2)


x = jnp.ones((16, 4))
y = jnp.zeros((16, 2))
grads = jax.grad(loss)(params, x, y)
params = jax.tree_util.tree_map(lambda p, g: p - 0.01 * g, params, grads)
print(loss(params, x, y), params["w1"].shape)
