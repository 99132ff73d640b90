"""Branches of lax.cond and lax.switch."""
import jax
import jax.numpy as jnp
from jax import lax

w = jnp.arange(12.0).reshape(3, 4)


def activate(kind, x):
    return lax.switch(kind, [jnp.tanh, jax.nn.relu, lambda v: v * 0.5], x)


def forward(x, training):
    h = w @ x
    h = lax.cond(training, lambda v: v * 2.0, lambda v: v, h)
    return activate(1, h)


out = forward(jnp.ones(4), True)
batch = jax.vmap(forward, in_axes=(1, None))(jnp.ones((4, 6)), False)
total = lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] + batch), (0, jnp.zeros((6, 3))))
print(out.shape, batch.shape, total[1].sum())
