"""An equinox module with two linear layers that do not fit."""
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear

    def __init__(self, key):
        a, b = jax.random.split(key)
        self.first = eqx.nn.Linear(4, 16, key=a)
        self.second = eqx.nn.Linear(8, 2, key=b)  # instead: self.second = eqx.nn.Linear(16, 2, key=b)

    def __call__(self, x):
        return self.second(jax.nn.relu(self.first(x)))


print(jax.vmap(Net(jax.random.key(0)))(jnp.ones((5, 4))).shape)
