"""A function with its own gradient, used in a model."""
import jax
import jax.numpy as jnp


@jax.custom_vjp
def clipped(x):
    return jnp.clip(x, -1.0, 1.0)


def forward(x):
    return clipped(x), x


def backward(x, g):
    return (g * (jnp.abs(x) <= 1.0),)


clipped.defvjp(forward, backward)
W = jnp.linspace(-2.0, 2.0, 12).reshape(4, 3)


def loss(W, x):
    return jnp.sum(clipped(x @ W) ** 2)


x = jnp.ones((5, 4))
g = jax.grad(loss)(W, x)
updated = W - 0.1 * g
print(updated.shape, loss(updated, x))
